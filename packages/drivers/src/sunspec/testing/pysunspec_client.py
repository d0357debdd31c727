"""Reads a SunSpec device with pysunspec2, which has models of its own: python pysunspec_client.py PORT.

Prints {"base", "models": [{"id", "points": {path: value}}]} as JSON; a point that the device does not implement is null. With a
further argument MODEL POINT VALUE, writes that point first, scaled.
"""
import json
import sys

import sunspec2.modbus.client as client


def points_of(group, prefix=""):
    found = {}
    for name, point in group.points.items():
        if point.pdef["type"] not in ("pad", "sunssf") and name not in ("ID", "L")[: 2 if prefix == "" else 0]:
            value = point.cvalue
            found[prefix + name] = value if value is None or isinstance(value, (int, float, str)) else str(value)
    for name, groups in group.groups.items():
        for index, each in enumerate(groups if isinstance(groups, list) else [groups]):
            repeated = "[%d]" % (index + 1) if isinstance(groups, list) else ""
            found.update(points_of(each, "%s%s%s." % (prefix, name, repeated)))
    return found


device = client.SunSpecModbusClientDeviceTCP(slave_id=1, ipaddr="127.0.0.1", ipport=int(sys.argv[1]), timeout=10)
device.scan()
if len(sys.argv) > 2:
    model, point, value = sys.argv[2:5]
    target = device.models[int(model)][0].points[point]
    target.cvalue = float(value)
    target.write()
models = [model for model in device.model_list if hasattr(model, "points")]
print(json.dumps({
    "base": device.base_addr,
    "models": [{"id": model.model_id, "points": points_of(model)} for model in models],
}))
device.close()
