package petritest

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// script is one of clients/conformance, which the clients of all languages play.
type script struct {
	Name  string
	World struct{ Now, Seed string }
	Steps []step
}

type step struct {
	Do      string
	With    []any
	Options map[string]any
	As      string
	Expect  any
	Refused int
}

func TestConformance(t *testing.T) {
	text, err := os.ReadFile("../../conformance/scripts.json")
	if err != nil {
		t.Fatal(err)
	}
	var scripts []script
	if err := json.Unmarshal(text, &scripts); err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		t.Run(script.Name, func(t *testing.T) {
			options := []Option{WithNow(script.World.Now)}
			if script.World.Seed != "" {
				options = append(options, WithSeed(script.World.Seed))
			}
			world := Start(t, options...)
			known := map[string]any{}
			for _, step := range script.Steps {
				play(t, world, step, known)
			}
		})
	}
}

func TestTheTableOfVerbsIsThatOfTheKit(t *testing.T) {
	table, err := os.ReadFile("../../README.md")
	rows := regexp.MustCompile("(?m)^\\| `(.+?)` \\| \\w* \\| \\w* \\| (\\w*) \\|").FindAllStringSubmatch(string(table), -1)
	if err != nil || len(rows) < 60 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	world := Start(t)
	for _, row := range rows {
		switch name, isListed := row[1], row[2] == "yes"; name {
		case "world", "intercept":
			// Start and Transport.
		default:
			if verb(world, name).IsValid() != isListed {
				t.Errorf("%s: %q", name, row[2])
			}
		}
	}
}

func play(t *testing.T, world *World, step step, known map[string]any) {
	t.Helper()
	arguments := fill(step.With, known).([]any)
	for name, value := range step.Options {
		// Go spells some options in the name of the verb, such as AdvanceUntil.
		if len(step.Options) == 1 && verb(world, step.Do+title(name)).IsValid() {
			step.Do += title(name)
			arguments = append(arguments, fill(value, known))
			step.Options = nil
		}
	}
	if step.Options != nil {
		arguments = append(arguments, fill(step.Options, known))
	}
	if step.Refused != 0 {
		refusal := world.Refusal(func(world *World) { call(t, world, step.Do, arguments) })
		if refusal.Status != step.Refused {
			t.Errorf("%s was refused with %d, not %d", step.Do, refusal.Status, step.Refused)
		}
		return
	}
	result := call(t, world, step.Do, arguments)
	if step.As != "" {
		known[step.As] = result
	}
	for _, difference := range differences(fill(step.Expect, known), result, step.Do) {
		t.Error(difference)
	}
}

// verb finds a method such as orders.place.
func verb(world *World, path string) reflect.Value {
	names := strings.Split(path, ".")
	owner := reflect.ValueOf(world)
	for _, name := range names[:len(names)-1] {
		owner = reflect.Indirect(owner).FieldByName(title(name))
	}
	if !owner.IsValid() {
		return owner
	}
	return owner.MethodByName(title(names[len(names)-1]))
}

// call calls a verb with arguments of JSON, and returns its result as JSON.
func call(t *testing.T, world *World, path string, arguments []any) any {
	t.Helper()
	method := verb(world, path)
	if !method.IsValid() {
		t.Fatalf("the kit has no %s", path)
	}
	var given []reflect.Value
	for i, argument := range arguments {
		kind := method.Type().In(min(i, method.Type().NumIn()-1))
		if method.Type().IsVariadic() && i >= method.Type().NumIn()-1 {
			kind = kind.Elem()
		}
		value := reflect.New(kind)
		convert(t, argument, value.Interface())
		given = append(given, value.Elem())
	}
	for i := len(given); i < method.Type().NumIn() && !method.Type().IsVariadic(); i++ {
		given = append(given, reflect.Zero(method.Type().In(i)))
	}
	results := method.Call(given)
	if len(results) == 0 {
		return nil
	}
	var result any
	convert(t, results[0].Interface(), &result)
	return result
}

func convert(t *testing.T, from, to any) {
	t.Helper()
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

// fill replaces $order.id by what an earlier step has returned.
func fill(value any, known map[string]any) any {
	switch value := value.(type) {
	case []any:
		filled := make([]any, len(value))
		for i, each := range value {
			filled[i] = fill(each, known)
		}
		return filled
	case map[string]any:
		filled := map[string]any{}
		for name, each := range value {
			filled[name] = fill(each, known)
		}
		return filled
	case string:
		if !strings.HasPrefix(value, "$") {
			return value
		}
		path := strings.Split(value[1:], ".")
		found := known[path[0]]
		for _, part := range path[1:] {
			if list, isList := found.([]any); isList {
				index, _ := strconv.Atoi(part)
				found = list[index]
			} else {
				found = found.(map[string]any)[part]
			}
		}
		return found
	default:
		return value
	}
}

// differences tells where something is not as expected: an object may have more fields, a list not more items.
func differences(expected, actual any, at string) []string {
	switch expected := expected.(type) {
	case nil:
		return nil
	case map[string]any:
		object, _ := actual.(map[string]any)
		var found []string
		for name, each := range expected {
			found = append(found, differences(each, object[name], at+"."+name)...)
		}
		return found
	case []any:
		list, _ := actual.([]any)
		if len(list) != len(expected) {
			return []string{fmt.Sprintf("%s has %d items, not %d", at, len(list), len(expected))}
		}
		var found []string
		for i, each := range expected {
			found = append(found, differences(each, list[i], fmt.Sprintf("%s[%d]", at, i))...)
		}
		return found
	default:
		if reflect.DeepEqual(expected, actual) {
			return nil
		}
		return []string{fmt.Sprintf("%s is %v, not %v", at, actual, expected)}
	}
}
