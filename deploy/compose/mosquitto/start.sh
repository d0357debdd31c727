#!/bin/sh
# Starts Mosquitto with plantroom-accounts.conf; the image has the plugin at another path than Debian.
set -eu
sed 's|^plugin .*|plugin /usr/lib/mosquitto_dynamic_security.so|' /plantroom-accounts.conf > /tmp/mosquitto.conf
exec mosquitto -c /tmp/mosquitto.conf
