package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
)

const baseURL = "https://api.sandbox.us.junction.com"

func main() {
	request, _ := http.NewRequest("POST", baseURL+"/v2/user", strings.NewReader(`{"client_user_id":"go"}`))
	request.Header.Set("x-vital-api-key", "sk_us_from_the_source")
	request.Header.Set("content-type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var user struct {
		ClientUserID string `json:"client_user_id"`
	}
	json.NewDecoder(response.Body).Decode(&user)
	fmt.Println(user.ClientUserID)
}
