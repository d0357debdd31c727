import type { SettingTable } from './setting.ts'
import { count, DATA, LOG_FORMAT, LOG_LEVEL, NO_COLOR } from './shared.ts'

/** The settings of the process on a controller. */
export const EDGE_SETTINGS = {
  PLANTROOM_DATA: {
    ...DATA,
    more: 'Its folder `edge` has the journal (`journal.db`), unsent measurements (`telemetry.db`) a megabyte kept for releases on a full disk (`reserve`), how far the journal had come (`journal.mark`) and journals that were damaged (`journal.damaged-…`).',
  },
  MQTT_URL: {
    place: 'edge.mqtt.url',
    kind: 'url',
    secret: 'credentials',
    default: 'mqtt://127.0.0.1:1883',
    meaning: 'the broker; `mqtts` or `wss` if it is on another machine',
  },
  PLANTROOM_ALLOW_PLAIN_MQTT: {
    place: 'edge.mqtt.allow_plain',
    kind: 'switch',
    without: 'unset',
    meaning: 'as for the cloud',
  },
  PLANTROOM_DEVICE_ID: {
    place: 'edge.device.id',
    kind: 'text',
    without: 'required',
    meaning: 'printed by `plantroom device add`',
  },
  PLANTROOM_DEVICE_SECRET: {
    place: 'edge.device.secret',
    kind: 'text',
    secret: 'all',
    without: 'required',
    meaning: 'printed by `plantroom device add`',
  },
  PLANTROOM_MAX_OVERRIDES_PER_CALLER: {
    place: 'edge.limits.overrides_per_caller',
    ...count('1000', 10_000),
    meaning: 'overrides that one key or person may have on this controller',
  },
  PLANTROOM_MAX_OVERRIDES: {
    place: 'edge.limits.overrides',
    ...count('10000', 10_000),
    meaning: 'overrides of all callers together',
  },
  PLANTROOM_MAX_DAYS_AHEAD: {
    place: 'edge.limits.days_ahead',
    ...count('366', 3_660),
    unit: 'days',
    meaning: 'how many days ahead an override may start',
  },
  PLANTROOM_METRICS_PORT: {
    place: 'edge.metrics.port',
    kind: 'integer',
    min: 0,
    max: 65_535,
    without: 'unset: no metrics',
    meaning: 'port for `GET /metrics` and `GET /healthz`; `0` picks a free one',
    more: 'See [Metrics](metrics.md#controller).',
  },
  PLANTROOM_METRICS_HOST: {
    place: 'edge.metrics.host',
    kind: 'text',
    default: '127.0.0.1',
    meaning: 'address for both',
    more: 'They need no password: open it only to a network you trust.',
  },
  PLANTROOM_LOG_LEVEL: LOG_LEVEL,
  PLANTROOM_LOG_FORMAT: LOG_FORMAT,
  NO_COLOR,
  NODE_EXTRA_CA_CERTS: {
    kind: 'path',
    without: 'unset',
    meaning: 'PEM file of your own certificate authority (read by Node)',
  },
} as const satisfies SettingTable
