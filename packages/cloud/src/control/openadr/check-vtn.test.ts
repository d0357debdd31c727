import { expect, test } from 'vitest'
import { createGuard, createTransport, openPlaces } from '../../platform/outbound/index.ts'
import { createSeal } from '../../platform/seal/index.ts'
import { checkVtn } from './check-vtn.ts'
import { openBench } from './testing/bench.ts'
import { createVtnSessions } from './vtn-sessions.ts'

test('a check names the reports that events ask for and that are not sent', async () => {
  const bench = await openBench()
  const reportDescriptors = ['BASELINE', 'DEMAND'].map((payloadType) => ({ payloadType }))
  bench.vtn.addEvent(bench.event(0, 15, [10], { reportDescriptors }))
  const program = await bench.store.read('org', bench.programId)
  if (!program) throw new Error('the program is missing')
  const guard = createGuard({ privateNetworks: ['127.0.0.1'] })
  const clock = { ...bench.clock, after: () => () => {} }
  const transport = createTransport({ clock, places: openPlaces(), guard })
  const sessions = createVtnSessions({ transport, seal: createSeal('a key', 'openadr'), clock })
  const { ok, steps } = await checkVtn(program, () => sessions.open(program), bench.clock)
  expect(ok).toBe(true)
  expect(steps.find(({ step }) => step === 'reports')).toMatchObject({
    state: 'warning',
    message: 'events ask for BASELINE, which we have no values for and do not send',
    ask: 'Do you need BASELINE?',
  })
})
