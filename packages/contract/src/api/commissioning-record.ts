import { CommissioningChange, CommissioningFile, CommissioningVersion, FileProblem } from '../commissioning/index.ts'
import { named, time } from '../fields.ts'
import { route } from '../route.ts'
import { array, integer, nullable, object, type Static, text } from '../schema.ts'
import { administrator } from './organization.ts'
import { OutputTest } from './output-tests.ts'

/** The most tests that a record has: the newest ones. */
export const MAX_RECORDED_TESTS = 1_000

/** A test of a record, with where its datapoints are now: names repeat between systems. */
const RecordedTest = object({
  ...OutputTest.properties,
  connection: nullable(text(), {
    description: 'The connection of the datapoint; null when it is no longer commissioned',
  }),
  unit: nullable(text(), { description: 'Of the datapoint' }),
  meterUnit: nullable(text()),
})
export interface RecordedTest extends Static<typeof RecordedTest> {}

/** What was commissioned on a controller, by whom, and how it was tested. */
export const CommissioningRecord = object({
  at: time('When the record was made'),
  organizationId: text(),
  site: object({ ...named.properties, timeZone: text() }),
  device: object({
    ...named.properties,
    software: nullable(text(), { description: 'The version of the controller; null when it has not said it' }),
  }),
  systems: array(
    object({
      technicalSystemId: text(),
      version: nullable(integer(), { description: 'Null when it was loaded before versions were kept' }),
      ...CommissioningChange.properties,
      file: CommissioningFile,
      warnings: array(FileProblem, { description: 'What is still open' }),
    }),
    { description: 'What is commissioned now. Passwords and similar settings are left out' },
  ),
  rolledBack: array(CommissioningVersion, { description: 'Kept versions that the controller went back from' }),
  tests: array(RecordedTest, { description: 'The newest first' }),
})
export interface CommissioningRecord extends Static<typeof CommissioningRecord> {}

/** A record, signed with the key of the service as the activity log is. */
export const SignedRecord = object({
  record: CommissioningRecord,
  hash: text({
    description:
      'The SHA-256, in hexadecimal digits, of the record as JSON without spaces, with the fields of each object sorted',
  }),
  signed: object({
    key: text({ description: 'The Ed25519 public key of the service (SPKI) in Base64' }),
    signature: text({ description: 'Over the hash as bytes, in Base64' }),
  }),
})
export interface SignedRecord extends Static<typeof SignedRecord> {}

export const commissioningRecordRoutes = {
  getCommissioningRecord: route({
    method: 'GET',
    path: '/api/orgs/:orgId/devices/:deviceId/commissioning/record',
    access: administrator,
    tag: 'Administration',
    summary: 'The signed record of a commissioning: what is loaded, by whom, each test with its values, open warnings',
    reply: SignedRecord,
  }),
} as const
