import { type Name, type Reader, readInteger } from './setting-reader.ts'

/** What one organization, site or address may use, and what keeps the service alive when it does. */
export interface Limits {
  unfinishedJobs: { perSite: number; perOrganization: number }
  packagesPerOrganization: number
  packageBytesPerOrganization: number
  /** What the controllers of an organization may send in a day. */
  receivedBytesPerDay: number
  /** Finished exports of a site that keep their package. */
  exportsKept: number
  mailsPerHour: number
  /** Of the API's statements; jobs have none. */
  statementMs: number
  lockMs: number
  httpConnections: ConnectionLimits
  brokerConnections: ConnectionLimits
}

export interface ConnectionLimits {
  total: number
  /** The machine itself is exempt: a proxy on it carries everybody's connections. */
  perAddress: number
}

/** Reads the limits of organizations, sites and addresses. */
export function readLimits(reader: Reader, replyTimeoutMs: number): Limits {
  const count = (name: Name) => readInteger(reader, name)
  return {
    unfinishedJobs: {
      perSite: count('PLANTROOM_MAX_JOBS_PER_SITE'),
      perOrganization: count('PLANTROOM_MAX_JOBS_PER_ORGANIZATION'),
    },
    packagesPerOrganization: count('PLANTROOM_MAX_PACKAGES_PER_ORGANIZATION'),
    packageBytesPerOrganization: count('PLANTROOM_MAX_UPLOAD_GB_PER_ORGANIZATION') * 1_000_000_000,
    receivedBytesPerDay: count('PLANTROOM_MAX_RECEIVED_GB_PER_DAY') * 1_000_000_000,
    exportsKept: count('PLANTROOM_EXPORTS_KEPT'),
    mailsPerHour: count('PLANTROOM_MAX_MAILS_PER_HOUR'),
    statementMs: count('PLANTROOM_STATEMENT_TIMEOUT_MS'),
    // Commissioning keeps its lock until the controller replies.
    lockMs: readInteger(reader, 'PLANTROOM_LOCK_TIMEOUT_MS', Math.max(15_000, replyTimeoutMs + 5_000)),
    httpConnections: {
      total: count('PLANTROOM_MAX_CONNECTIONS'),
      perAddress: count('PLANTROOM_MAX_CONNECTIONS_PER_ADDRESS'),
    },
    brokerConnections: {
      total: count('PLANTROOM_MAX_MQTT_CONNECTIONS'),
      perAddress: count('PLANTROOM_MAX_MQTT_CONNECTIONS_PER_ADDRESS'),
    },
  }
}
