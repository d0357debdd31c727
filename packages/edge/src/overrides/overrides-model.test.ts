import { existsSync, rmSync } from 'node:fs'
import { isCampaign, repeat, repetitions } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { type Controller, startController } from '../testing/controller.ts'
import { restoreLink, willing } from './testing/equipment-steps.ts'
import { steps } from './testing/steps.ts'
import { pass } from './testing/time-steps.ts'
import { aWorld, SILENT_CONNECTIONS, systemOf, type World } from './testing/world.ts'

const BLOCKS = 1
const LIVES_PER_BLOCK = isCampaign ? 20 : 8
const BLOCK_TIMEOUT_MS = 180_000
const STEPS_PER_LIFE = 60

const { TMPDIR } = process.env
beforeAll(() => {
  // A disk in memory where there is one: a crash leaves the same files on it, and flushes take no time.
  if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm'
})
afterAll(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
})

async function runSteps(commands: Iterable<fc.AsyncCommand<World, Controller>>): Promise<void> {
  const world = aWorld()
  const device = await startController(systemOf(world), {
    points: { ...world.plain, meter: 0 },
    silentConnections: SILENT_CONNECTIONS,
  })
  try {
    await fc.asyncModelRun(() => ({ model: world, real: device }), commands)
    await recoverEverything(world, device)
  } finally {
    await device.stop()
    rmSync(device.folder, { recursive: true, force: true })
  }
}

/** Ends every fault. The controller must then recover, and the cloud must have each audit entry once. */
async function recoverEverything(world: World, device: Controller): Promise<void> {
  device.dieAt(undefined)
  device.confirms = true
  await device.reconnect()
  for (const step of [willing, restoreLink, pass(11)]) await step.run(world, device)
}

test('the controller does what a list of overrides says, whatever happens', {
  timeout: repetitions(BLOCKS) * BLOCK_TIMEOUT_MS,
}, async () => {
  const commands = fc.commands(steps, { maxCommands: STEPS_PER_LIFE, size: 'max' })
  await repeat(BLOCKS, ({ seed }) =>
    fc.assert(fc.asyncProperty(commands, runSteps), { numRuns: LIVES_PER_BLOCK, seed }),
  )
})
