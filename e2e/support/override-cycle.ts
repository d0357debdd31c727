import { type Random, randomOf } from '@plantroom/testkit/random'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import { expectedAt, type Sample, type Sent, wrongIn, wrongInAudit } from './override-ledger.ts'
import { reportsOf } from './override-reports.ts'
import { readSetpoints, SETPOINTS, type SetpointName, type Setpoints, writeSetpoints } from './override-setpoints.ts'
import type { Answer } from './partner.ts'
import type { ServiceManager } from './service-manager.ts'
import type { Stack } from './stack.ts'

const LONG_MS = 600_000
const SAMPLE_EVERY_MS = 20

const STEPS = ['long', 'long', 'short', 'short', 'queued', 'queued long', 'cancel', 'cancel', 'again'] as const

/**
 * Cuts the power once during a random script of dispatches and checks the invariants throughout. The controller crashes at
 * `crashAt`; if it does not reach that point, it is killed.
 */
export async function cycle(stack: Stack, service: ServiceManager, random: Random, crashAt: string): Promise<void> {
  const sent: Sent[] = []
  try {
    await run(stack, service, random, crashAt, sent)
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error)
    throw new Error(`${what}\n${sent.map((it) => JSON.stringify(it)).join('\n')}`, { cause: error })
  }
}

async function run(
  stack: Stack,
  service: ServiceManager,
  random: Random,
  crashAt: string,
  sent: Sent[],
): Promise<void> {
  const began = Date.now()
  const crashes = service.crashes
  const plain = await newPlain(stack, random)
  const sampling = startSampling(stack, service)
  stack.edge.send({ crashAt })

  // Each lane draws from its own generator: the seed decides the script, whichever lane is faster.
  const lanes = SETPOINTS.map((name) => ({ name, random: randomOf(random.whole(0, 2 ** 31)) }))
  await Promise.all(lanes.map((each) => lane(stack, each.random, each.name, plain, sent)))
  await becomesAsExpected(stack, sent, plain)
  if (service.crashes === crashes) await stack.edge.kill()
  await becomesAsExpected(stack, sent, plain)
  await eventually(() => expect(Date.now()).toBeGreaterThan(lastShortEnd(sent)))
  await becomesAsExpected(stack, sent, plain)

  await Promise.all(sent.filter((it) => !it.cancelSent && it.to > Date.now()).map((it) => cancel(stack, it)))
  await eventually(async () => expect(await readSetpoints(stack.equipment)).toEqual(plain))
  await Promise.all(sent.map((it) => sameAnswerAgain(stack, it)))
  const samples = await sampling.stop()

  expect(samples.flatMap((sample) => wrongIn(sample, sent, plain))).toEqual([])
  const datapoints = SETPOINTS.map((name) => ({
    name,
    id: stack.datapointId(name),
    plain: plain[name],
    seen: new Set(samples.map(({ setpoints }) => setpoints[name]).filter((value) => value !== plain[name])),
  }))
  await eventually(async () => {
    const entries = await reportsOf(stack, { from: new Date(began).toISOString() })
    expect(wrongInAudit(entries, sent, datapoints)).toEqual([])
  }, 15_000)
  expect(await readSetpoints(stack.equipment)).toEqual(plain)
}

/** Sets new plain values at the equipment and waits until the controller has read them. */
async function newPlain(stack: Stack, random: Random): Promise<Setpoints> {
  const plain = {
    'Charge power': random.whole(-500, 500) / 10,
    'Charge power limit': random.whole(0, 500) / 10,
    'Discharge reserve': random.whole(0, 200) / 2,
  }
  await writeSetpoints(stack.equipment, plain)
  await eventually(async () => {
    const { body } = await stack.partner.values(stack.connectionId('Inverter'))
    for (const name of SETPOINTS) {
      const entry = body.data.values[stack.datapointId(name)]
      expect(entry).toEqual({ value: plain[name], timestamp: expect.any(String) })
    }
  })
  return plain
}

/** Sends random commands for one datapoint, one after another. */
async function lane(stack: Stack, random: Random, name: SetpointName, plain: Setpoints, sent: Sent[]): Promise<void> {
  for (let steps = random.whole(2, 4); steps > 0; steps -= 1) {
    const step = random.pick(STEPS)
    const known = sent.filter((it) => it.name === name && typeof it.answer === 'object')
    if (step === 'cancel' && known.length > 0) await cancel(stack, random.pick(known))
    else if (step === 'again' && known.length > 0) await sameAnswerAgain(stack, random.pick(known))
    else await place(stack, { name, reqId: crypto.randomUUID(), value: unused(), ...times(step, random) }, sent)
  }

  function unused(): number {
    const value = name === 'Discharge reserve' ? random.whole(0, 200) / 2 : random.whole(0, 500) / 10
    return value === plain[name] || sent.some((it) => it.name === name && it.value === value) ? unused() : value
  }
}

function times(step: string, random: Random): { from: number; to: number } {
  const now = Date.now()
  const from = step.startsWith('queued') ? now + random.whole(50, 400) : now - random.pick([0, 0, 5_000])
  const to = step.endsWith('long') ? now + LONG_MS : Math.max(from, now) + random.whole(50, 500)
  return { from, to }
}

async function place(stack: Stack, it: Sent, sent: Sent[]): Promise<void> {
  sent.push(it)
  const answer = await untilAnswered(() => stack.partner.override(setpointOf(stack, it), it.reqId))
  if (answer.status === 499) {
    // The first attempt was lost, and the end of the override has passed.
    expect(answer.body.message).toContain('is in the past')
    it.answer = 'refused'
    return
  }
  expect(answer.status, answer.body.message).toBe(200)
  it.answer = { id: answer.body.data.id }
}

async function cancel(stack: Stack, it: Sent): Promise<void> {
  if (typeof it.answer !== 'object') return
  const { id } = it.answer
  it.cancelSent = true
  const reqId = crypto.randomUUID()
  const { status, body } = await untilAnswered(() => stack.partner.cancel(id, reqId))
  expect(status, body.message).toBe(200)
  it.cancelledAt ??= Date.now()
}

/** Repeats an override and expects the same answer, whatever its state is by now. */
async function sameAnswerAgain(stack: Stack, it: Sent): Promise<void> {
  if (typeof it.answer !== 'object') return
  const { status, body } = await untilAnswered(() => stack.partner.override(setpointOf(stack, it), it.reqId))
  expect({ status, id: body.data?.id }).toEqual({ status: 200, id: it.answer.id })
}

const setpointOf = (stack: Stack, { name, value, from, to }: Sent) => ({
  datapointId: stack.datapointId(name),
  value,
  from,
  to,
})

/** Retries with the same reqId until the answer is not 502, as the contract recommends. */
function untilAnswered<Data>(send: () => Promise<Answer<Data>>): Promise<Answer<Data>> {
  return eventually(async () => {
    const answer = await send()
    if (answer.status === 502) throw new Error(answer.body.message)
    return answer
  })
}

/** Waits until the registers have the values of the active overrides. A lost override would never appear. */
function becomesAsExpected({ equipment }: Stack, sent: readonly Sent[], plain: Setpoints): Promise<void> {
  return eventually(async () => {
    const before = Date.now()
    const setpoints = await readSetpoints(equipment)
    const after = Date.now()
    for (const name of SETPOINTS) {
      const expected = expectedAt(before, name, sent, plain)
      expect(expectedAt(after, name, sent, plain), 'the expected value changed meanwhile').toBe(expected)
      expect(setpoints[name], name).toBe(expected)
    }
  })
}

function lastShortEnd(sent: readonly Sent[]): number {
  return Math.max(0, ...sent.filter(({ from, to }) => to - from < LONG_MS / 2).map(({ to }) => to))
}

/** Samples the equipment until it is stopped. */
function startSampling({ equipment }: Stack, service: ServiceManager): { stop(): Promise<Sample[]> } {
  const samples: Sample[] = []
  let over = false
  async function sample(): Promise<Sample[]> {
    while (!over) {
      const { upSince } = service
      const began = Date.now()
      samples.push({ upSince, began, setpoints: await readSetpoints(equipment), ended: Date.now() })
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS))
    }
    return samples
  }
  const seen = sample()
  return {
    stop() {
      over = true
      return seen
    },
  }
}
