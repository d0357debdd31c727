import { MAX_REASON, name, named, nextCursor, paging, storable, time, timeOrNull } from '../fields.ts'
import { MeterJudgement } from '../judge-meter.ts'
import { MAX_TEST_SECONDS, MIN_TEST_SECONDS, OutputTestResult } from '../output-test.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { REPORT_REASONS } from '../reports.ts'
import { route } from '../route.ts'
import {
  array,
  boolean,
  closedObject,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from '../schema.ts'

const TESTS = '/api/orgs/:orgId/devices/:deviceId/tests'
const tag = 'Administration'
/** For people: a test is about what somebody sees at the equipment. */
const manager = { by: 'key-or-operator', permission: NO_PERMISSION, role: 'manager' } as const

/** A test of one output. */
export const OutputTest = object({
  id: text({ description: 'The override that tested the output' }),
  datapoint: named,
  value: number(),
  seconds: integer(),
  meter: nullable(named),
  startedAt: time(),
  by: nullable(text(), { description: 'The name of who started it, at that time' }),
  result: nullable(
    object({
      at: time('When the controller had read everything'),
      reason: oneOf(REPORT_REASONS, { description: 'Why the test was over: ended, cancelled or superseded' }),
      ...OutputTestResult.properties,
    }),
    { description: 'null until the controller has sent it; a controller that was restarted meanwhile has none' },
  ),
  judgement: nullable(MeterJudgement, {
    description: 'What the test says about the meter; null without a result, a meter, or a power to compare with',
  }),
  moved: nullable(boolean(), { description: 'Whether a person saw the equipment move; null until they answer' }),
  note: nullable(text()),
  answeredAt: timeOrNull(),
})
export interface OutputTest extends Static<typeof OutputTest> {}

/** The meter of a commissioned power limit, and whether a test has confirmed its sign as it is commissioned now. */
export const MeterSign = object({
  technicalSystemId: text(),
  meter: named,
  confirmedAt: timeOrNull('When a test confirmed the sign; null while none did'),
  loads: array(named, { description: 'What can be tested with it' }),
})
export interface MeterSign extends Static<typeof MeterSign> {}

/** Bounded tests of outputs, and what they say about meters. */
export const outputTestRoutes = {
  testOutput: route({
    method: 'POST',
    path: TESTS,
    access: manager,
    tag,
    summary: 'Hold one output for at most a minute, and read it and a meter meanwhile. For people: an API key gets 403',
    description:
      'The test is an override: the controller ends it on time and gives the equipment back. It answers 499, and nothing ' +
      'is written, when the value is outside of the envelope or the limits, when something holds the datapoint, or while ' +
      'another output of the controller is tested; 502 while it does not answer. To stop a test, release the override.',
    body: closedObject({
      datapointId: storable('The output to test'),
      value: number({ description: 'Setpoint in engineering units, within the envelope' }),
      seconds: integer({ minimum: MIN_TEST_SECONDS, maximum: MAX_TEST_SECONDS }),
      meterId: optional(storable('The meter that should follow')),
    }),
    status: 201,
    reply: object({ id: text() }),
  }),
  listOutputTests: route({
    method: 'GET',
    path: TESTS,
    access: manager,
    tag,
    summary: 'List the tests of outputs, the newest first, by pages, and the meters whose sign a test should confirm',
    query: object(paging({ most: 100, default: 20 })),
    reply: object({ tests: array(OutputTest), meters: array(MeterSign), nextCursor }),
  }),
  answerOutputTest: route({
    method: 'POST',
    path: `${TESTS}/:testId/answer`,
    access: manager,
    tag,
    summary: 'Say whether the equipment moved in a test; the last answer counts',
    body: closedObject({
      moved: boolean(),
      note: optional({ ...name, maxLength: MAX_REASON, description: 'What you saw, for people' }),
    }),
    reply: OutputTest,
  }),
} as const
