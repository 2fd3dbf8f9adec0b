#!/usr/bin/env bash
# Whether the Petri of this container answers: exit status 0 or 1. Starting Node for it each two seconds would cost 20 times as much.
port=${PETRI_PORT:-4080} host=${PETRI_HOST:-127.0.0.1}
# Kubernetes sets PETRI_PORT to tcp://… for a Service called petri; Petri ignores that, too.
[[ $port =~ ^[0-9]+$ ]] || port=4080
case $host in 0.0.0.0) host=127.0.0.1 ;; ::) host=::1 ;; esac
exec 2> /dev/null 3<> "/dev/tcp/$host/$port" || exit 1
printf 'GET /_petri/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n' >&3
read -r -t 2 line <&3 || exit 1
[[ $line == 'HTTP/1.1 200 '* ]]
