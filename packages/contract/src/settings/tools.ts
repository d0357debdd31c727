import type { SettingTable } from './setting.ts'
import { LOG_FORMAT, LOG_LEVEL, NO_COLOR, port } from './shared.ts'

const { place: _level, ...LEVEL } = LOG_LEVEL
const { place: _format, ...FORMAT } = LOG_FORMAT

/** The settings of the simulated building. They are not in `plantroom.yaml`, which is for real installations. */
export const SIMULATOR_SETTINGS = {
  PLANTROOM_HOST: { kind: 'text', default: '127.0.0.1', meaning: 'address to listen on' },
  PLANTROOM_SIMULATOR_MODBUS_PORT: {
    ...port('15020'),
    meaning:
      'Modbus TCP: battery inverter (unit 1), grid meter (unit 2), boiler (unit 3) and solar inverter (unit 4, SunSpec)',
  },
  PLANTROOM_SIMULATOR_MQTT_PORT: { ...port('1884'), meaning: 'broker of the heat pump' },
  PLANTROOM_SIMULATOR_OBIX_PORT: { ...port('8085'), meaning: 'oBIX server of the air handling unit' },
  PLANTROOM_SIMULATOR_BACNET_PORT: { ...port('47808'), meaning: 'BACnet/IP device of a template' },
  PLANTROOM_SIMULATOR_OBIX_LOGIN: {
    kind: 'text',
    secret: 'all',
    without: 'unset: no login',
    meaning: '`user:password` that the oBIX server requires',
  },
  PLANTROOM_SIMULATOR_SEED: {
    kind: 'integer',
    min: 0,
    max: 2 ** 32 - 1,
    default: '1',
    meaning: 'the same seed gives the same building',
  },
  PLANTROOM_SIMULATOR_FAULTS: {
    kind: 'text',
    without: 'unset: none',
    meaning: 'how the equipment misbehaves, for example `modbus:late=1500,mqtt:offline,obix:err,meter:late=20000`',
    more: 'An unknown name lists all known ones.',
  },
  PLANTROOM_LOG_LEVEL: { ...LEVEL, meaning: 'as for the cloud' },
  PLANTROOM_LOG_FORMAT: { ...FORMAT, meaning: 'as for the cloud' },
  NO_COLOR: { ...NO_COLOR, meaning: 'as for the cloud' },
} as const satisfies SettingTable

/** The settings of the command line, which belong to a person and not to a machine: `plantroom.yaml` has none of them. */
export const CLI_SETTINGS = {
  PLANTROOM_PROFILE: {
    kind: 'text',
    flag: '--profile',
    meaning: 'profile with the address, the ids and the secret of a service; default that of `plantroom profile use`',
  },
  XDG_CONFIG_HOME: { kind: 'path', meaning: 'profiles are in `plantroom` below it; default `~/.config`' },
  PLANTROOM_URL: { kind: 'url', flag: '--url', meaning: 'address of the cloud' },
  PLANTROOM_API_KEY: {
    kind: 'text',
    secret: 'all',
    meaning: 'for `dr`, `fleet`, `request` and `package`, and for `reports` and `measurements` without an admin token',
  },
  PLANTROOM_ADMIN_TOKEN: {
    kind: 'text',
    secret: 'all',
    meaning:
      'for administration, `reports` and `measurements`, and for `request` and `package` without a key; default `admin-token` in the data folder',
  },
  PLANTROOM_ORG: { kind: 'text', flag: '--org', meaning: 'organization' },
  PLANTROOM_SITE: {
    kind: 'text',
    flag: '--site',
    meaning:
      'site, for `request` and `package`; optional if the admin token finds exactly one with Maintenance Requests',
  },
  PLANTROOM_DEVICE: {
    kind: 'text',
    flag: '--device',
    meaning: 'controller, for `dr` and `measurements`; `reports` takes only the flag',
  },
} as const satisfies SettingTable
