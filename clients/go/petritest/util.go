package petritest

import (
	"reflect"
	"sort"
)

// The most rows of a page of a list.
const maxRows = 500

func sortedKeys(fields map[string]any) []string {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// isNil also finds a nil pointer or function in an interface.
func isNil(given any) bool {
	value := reflect.ValueOf(given)
	return given == nil || (value.Kind() == reflect.Pointer || value.Kind() == reflect.Func) && value.IsNil()
}
