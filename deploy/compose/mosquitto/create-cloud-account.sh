#!/bin/sh
# Creates the account of the cloud, once. Asks for its password, which goes into MQTT_URL.
set -eu
file=/var/lib/mosquitto/dynamic-security.json
mosquitto_ctrl dynsec init "$file" plantroom-cloud
sed -i 's|"acls":[[:space:]]*\[|&{"acltype":"publishClientSend","topic":"plantroom/#","allow":true},|' "$file"
chown mosquitto: /var/lib/mosquitto "$file"
chmod 600 "$file"
