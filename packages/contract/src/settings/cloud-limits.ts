import type { SettingTable } from './setting.ts'
import { count } from './shared.ts'

const MANY = 1_000_000
const HOUR_MS = 3_600_000

/** What one organization, site or address may use. */
export const CLOUD_LIMITS = {
  PLANTROOM_MAX_JOBS_PER_SITE: {
    place: 'cloud.limits.jobs_per_site',
    ...count('20', MANY),
    meaning: 'unfinished previews, imports and exports of a site',
  },
  PLANTROOM_MAX_JOBS_PER_ORGANIZATION: {
    place: 'cloud.limits.jobs_per_organization',
    ...count('100', MANY),
    meaning: 'the same for a whole organization',
  },
  PLANTROOM_MAX_PACKAGES_PER_ORGANIZATION: {
    place: 'cloud.limits.packages_per_organization',
    ...count('10000', MANY),
    meaning: 'names of packages that an organization uploads within 7 days',
  },
  PLANTROOM_MAX_UPLOAD_GB_PER_ORGANIZATION: {
    place: 'cloud.limits.upload_gb_per_organization',
    ...count('20', MANY),
    unit: 'GB',
    meaning: 'uploaded packages of an organization',
    more: 'In a bucket, this needs the permission to list it (`s3:ListBucket`).',
  },
  PLANTROOM_MAX_RECEIVED_GB_PER_DAY: {
    place: 'cloud.limits.received_gb_per_day',
    ...count('50', MANY),
    unit: 'GB',
    meaning:
      'audit entries and measurements that the controllers of an organization send to a cloud process in a day (UTC)',
    more: 'Beyond it the controllers keep them until midnight.',
  },
  PLANTROOM_EXPORTS_KEPT: {
    place: 'cloud.limits.exports_kept',
    ...count('3', 1_000),
    worker: true,
    meaning: 'finished exports of a site that can be downloaded',
  },
  PLANTROOM_MAX_MAILS_PER_HOUR: {
    place: 'cloud.limits.mails_per_hour',
    ...count('100', MANY),
    worker: true,
    meaning: 'mails of a site to reporters; further mails wait in the outbox',
  },
  PLANTROOM_STATEMENT_TIMEOUT_MS: {
    place: 'cloud.limits.statement_timeout_ms',
    ...count('30000', HOUR_MS),
    unit: 'ms',
    meaning: 'time of one database statement of the API; jobs have none',
  },
  PLANTROOM_LOCK_TIMEOUT_MS: {
    place: 'cloud.limits.lock_timeout_ms',
    kind: 'integer',
    min: 1,
    max: HOUR_MS,
    without: '`15000`, or 5 s more than `PLANTROOM_REPLY_TIMEOUT_MS`',
    unit: 'ms',
    meaning: 'time that such a statement waits for a lock',
  },
  PLANTROOM_MAX_CONNECTIONS: {
    place: 'cloud.limits.connections',
    ...count('5000', MANY),
    meaning: 'HTTP connections in all',
  },
  PLANTROOM_MAX_CONNECTIONS_PER_ADDRESS: {
    place: 'cloud.limits.connections_per_address',
    ...count('500', MANY),
    meaning: 'HTTP connections of one address',
  },
  PLANTROOM_MAX_MQTT_CONNECTIONS: {
    place: 'cloud.limits.mqtt_connections',
    ...count('20000', MANY),
    meaning: 'connections to the embedded broker in all',
  },
  PLANTROOM_MAX_MQTT_CONNECTIONS_PER_ADDRESS: {
    place: 'cloud.limits.mqtt_connections_per_address',
    ...count('1000', MANY),
    meaning: 'connections to the embedded broker of one address',
  },
} as const satisfies SettingTable
