import type { SettingTable } from './setting.ts'
import { GUIDES, LOG_FORMAT, LOG_LEVEL, NO_COLOR } from './shared.ts'

/** What operators follow a cloud or a worker by, and how it stops. */
export const CLOUD_OBSERVATION = {
  PLANTROOM_LOG_LEVEL: { ...LOG_LEVEL, worker: true },
  PLANTROOM_LOG_FORMAT: { ...LOG_FORMAT, worker: true },
  NO_COLOR,
  PLANTROOM_DRAIN_S: {
    place: 'cloud.drain_s',
    kind: 'integer',
    min: 0,
    max: 600,
    default: '0',
    unit: 's',
    meaning: 'how long a process keeps serving after SIGTERM, while `/readyz` answers 503',
    more: `See [Restart without failed requests](${GUIDES}/run-in-production.md#restart-without-failed-requests).`,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    place: 'cloud.traces.endpoint',
    kind: 'url',
    secret: 'credentials',
    without: 'unset: no traces',
    worker: true,
    meaning: 'base address of a receiver of OpenTelemetry (OTLP over HTTP), for example `http://127.0.0.1:4318`',
    more: `See [Record traces](${GUIDES}/monitor.md#record-traces).`,
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    place: 'cloud.traces.headers',
    kind: 'text',
    secret: 'all',
    without: 'unset',
    worker: true,
    meaning:
      'headers for it, for example `authorization=Basic%20…`: `name=value`, separated by commas, values percent-encoded',
  },
  PLANTROOM_TRACE_RATIO: {
    place: 'cloud.traces.ratio',
    kind: 'text',
    default: '1',
    worker: true,
    meaning: 'the part of traces that is recorded, 0 to 1',
    more: 'A caller that sends `traceparent` decides for its own.',
  },
} as const satisfies SettingTable
