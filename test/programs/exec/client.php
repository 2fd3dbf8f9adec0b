<?php
$curl = curl_init("https://api.eu.tryvital.io/v2/user");
curl_setopt_array($curl, [
    CURLOPT_POSTFIELDS => '{"client_user_id":"php"}',
    CURLOPT_HTTPHEADER => ["x-vital-api-key: pk_eu_from_the_source", "content-type: application/json"],
    CURLOPT_RETURNTRANSFER => true,
]);
$body = curl_exec($curl);
if ($body === false) {
    fwrite(STDERR, curl_error($curl) . "\n");
    exit(1);
}
echo json_decode($body)->client_user_id, "\n";
