import { createInterface } from 'node:readline/promises'
import { type Clock, sleep, systemClock } from '@plantroom/base/clock'
import type { OutputTest } from '@plantroom/contract/api'
import { MAX_REASON } from '@plantroom/contract/fields'
import { MAX_TEST_SECONDS, MIN_TEST_SECONDS } from '@plantroom/contract/output-test'
import { duration, finiteNumber, oneOf } from '../arguments.ts'
import { type Administration, administration } from '../clients.ts'
import { COMMON_FLAGS, ReportedFailure, UsageError, valued } from '../command.ts'
import { verb } from '../declare.ts'
import { createDirectory } from '../directory.ts'
import { note, print, printable } from '../output.ts'

const USUAL = '30s'
const LOOK_MS = 1_000
/** A controller has sent the result by then, unless it was restarted or is offline. */
const PATIENCE_MS = 180_000
const ANSWERS = ['yes', 'no'] as const

/** `plantroom device test`: holds one output for up to a minute, and prints what was read. */
export const testVerb = verb({
  about: 'hold one output for up to a minute, give it back, and print what the equipment and a meter showed',
  arguments: [
    { name: 'DEVICE', about: 'by id or name', completes: 'device' },
    { name: 'DATAPOINT', about: 'the output, by id or name', completes: 'datapoint' },
    { name: 'VALUE', about: 'within its envelope' },
  ],
  options: {
    ...COMMON_FLAGS,
    for: valued('DURATION', `how long, ${MIN_TEST_SECONDS}s to ${MAX_TEST_SECONDS}s; ${USUAL} by default`),
    meter: valued('DATAPOINT', 'the meter that should follow, by id or name', { completes: 'datapoint' }),
    moved: valued('ANSWER', 'whether the equipment moved; asked on a terminal', { choices: ANSWERS }),
    note: valued('TEXT', `what you saw, up to ${MAX_REASON} characters; with --moved`),
  },
  json: '{id, datapoint, value, seconds, meter, startedAt, by, result, judgement, moved, note, answeredAt}',
  examples: ["plantroom device test 'Boiler room' 'Charge power' 10 --for 30s --meter 'Grid power'"],
  async run(flags, given) {
    const value = finiteNumber(given.VALUE, 'VALUE')
    const seconds = secondsOf(flags.for ?? USUAL)
    const moved = flags.moved === undefined ? undefined : oneOf(ANSWERS, flags.moved, '--moved') === 'yes'
    if (flags.note !== undefined && moved === undefined) throw new UsageError('--note needs --moved yes|no')
    const { client, orgId, deviceId: resolve } = await administration(flags)
    const deviceId = await resolve(given.DEVICE)
    const directory = createDirectory({ client, operator: client, orgId })
    await directory.learn([deviceId])
    const datapointId = directory.datapointId(given.DATAPOINT)
    const meterId = flags.meter === undefined ? undefined : directory.datapointId(flags.meter)
    const body = { datapointId, value, seconds, ...(meterId !== undefined && { meterId }) }
    const { id: testId } = await client.testOutput({ orgId, deviceId, body })
    note(flags.json, `testing ${given.DATAPOINT} at ${value} for ${seconds} s; the controller then gives it back`)
    const test = await whenDone({ client, orgId }, { deviceId, testId, seconds, clock: systemClock })
    const answer = moved ?? (flags.json ? undefined : await askWhetherMoved())
    const seen = flags.note?.trim() || undefined
    const kept =
      answer === undefined
        ? test
        : await client.answerOutputTest({
            orgId,
            deviceId,
            testId,
            body: { moved: answer, ...(seen && { note: seen }) },
          })
    print(flags.json, kept, () => describeTest(kept, directory.units()))
    if (!kept.result) throw new ReportedFailure()
  },
})

function secondsOf(given: string): number {
  const seconds = duration(given, '--for') / 1000
  if (Number.isInteger(seconds) && seconds >= MIN_TEST_SECONDS && seconds <= MAX_TEST_SECONDS) return seconds
  throw new UsageError(`--for ${printable(given)} must be from ${MIN_TEST_SECONDS}s to ${MAX_TEST_SECONDS}s`)
}

/** Waits for the result of a test. Returns the test without one when the controller does not send it. */
async function whenDone(
  { client, orgId }: Pick<Administration, 'client' | 'orgId'>,
  { deviceId, testId, seconds, clock }: { deviceId: string; testId: string; seconds: number; clock: Clock },
): Promise<OutputTest> {
  const until = clock.monotonic() + seconds * 1000 + PATIENCE_MS
  while (true) {
    await sleep(clock, LOOK_MS)
    const { tests } = await client.listOutputTests({ orgId, deviceId })
    const test = tests.find(({ id }) => id === testId)
    if (test && (test.result || clock.monotonic() > until)) return test
    if (clock.monotonic() > until) throw new Error('the service does not list the test: look into the audit')
  }
}

/** Asks on a terminal; `undefined` without an answer. */
async function askWhetherMoved(): Promise<boolean | undefined> {
  if (!process.stdin.isTTY) return undefined
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = (await lines.question('Did the equipment move? [yes/no, Enter to skip] ')).trim().toLowerCase()
    if (['y', 'yes'].includes(answer)) return true
    return ['n', 'no'].includes(answer) ? false : undefined
  } finally {
    lines.close()
  }
}

/** Says what was read, and what the test says about the meter. */
export function describeTest(
  { datapoint, meter, value, result, judgement, moved }: OutputTest,
  units: ReadonlyMap<string, string>,
): string {
  if (!result) {
    return printable(
      `no result of ${datapoint.name}: the controller was restarted or is offline; check what it shows with plantroom hold list`,
    )
  }
  const { before, held, after, taken } = result
  const shown = (given: number | null | undefined, id: string) => {
    return typeof given === 'number'
      ? [Number(given.toFixed(3)), units.get(id)].filter((part) => part !== undefined).join(' ')
      : '-'
  }
  const row = (of: 'value' | 'meter', { id, name }: { id: string; name: string }) =>
    `${name}: ${[before, held, after].map((part) => shown(part?.[of], id)).join(', ')} (before, during, after)`
  const lines = [
    row('value', datapoint),
    ...(meter ? [row('meter', meter)] : []),
    ...(taken ? [] : [`the equipment did not take the value ${value}: no reading showed it`]),
    ...(after ? [] : ['another writer took the output over during the test']),
    ...(judgement && meter ? [describeJudgement(judgement, meter.name, datapoint.name)] : []),
    ...(moved === null ? [] : [`moved: ${moved ? 'yes' : 'no'}`]),
  ]
  return lines.map(printable).join('\n')
}

function describeJudgement(
  { verdict, meterKw, expectedKw, otherKw }: NonNullable<OutputTest['judgement']>,
  meter: string,
  load: string,
): string {
  if (meterKw === null || expectedKw === null || otherKw === null) {
    return `unclear: ${meter} or ${load} was not read before, during and after the test; test for longer`
  }
  const kw = (given: number) => Number(given.toFixed(2))
  const moved = `${meter} moved by ${kw(meterKw)} kW where ${kw(expectedKw)} kW were expected`
  switch (verdict) {
    case 'follows':
      return `the meter follows: ${moved}`
    case 'opposite':
      return `the meter moves the other way: ${moved}; turn its sign with the scaler in the commissioning file, or that of ${load} if a load that only draws confirms the meter`
    case 'scale':
      return `the scale is wrong: ${moved}; check the scalers and units of ${meter} and ${load}`
    case 'unclear':
      return `the meter did not move enough to tell: ${moved}, while other loads moved it by ${kw(otherKw)} kW; test with a larger value or for longer`
  }
}
