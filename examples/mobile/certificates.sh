#!/bin/sh
# Makes a certificate authority of your own, and a certificate for the hosts that mobile SDKs call.
# Needs OpenSSL 1.1.1 or later. Writes ca.pem, server.pem and server.key to the current folder.
set -eu

names=DNS:link.tryvital.io
for environment in '' sandbox. dev.; do
  for region in us eu; do
    names="$names,DNS:api.$environment$region.junction.com,DNS:auth.$environment$region.junction.com"
  done
done

openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj '/CN=Petri test CA' -keyout ca.key -out ca.pem
openssl req -newkey rsa:2048 -nodes -subj '/CN=Petri' -keyout server.key -out server.csr
echo "subjectAltName=$names" >server.ext
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 365 -extfile server.ext -out server.pem
rm server.csr server.ext
