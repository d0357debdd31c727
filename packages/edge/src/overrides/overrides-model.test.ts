import { existsSync, rmSync } from 'node:fs'
import fc from 'fast-check'
import { test } from 'vitest'
import { type Controller, startController } from '../testing/controller.ts'
import { mendLink, willing } from './testing/equipment-steps.ts'
import { stepsDone } from './testing/step.ts'
import { steps } from './testing/steps.ts'
import { pass } from './testing/time-steps.ts'
import { aWorld, BLACK_HOLES, systemOf, type World } from './testing/world.ts'

const STEPS = Number(process.env.PLANTROOM_TEST_STEPS ?? 5_000)
/** What a failure prints: with it the same lives are lived again. */
const SEED = process.env.PLANTROOM_TEST_SEED
const STEPS_A_LIFE = 60

// A disk in memory, where there is one: a crash leaves the same on it as on any other, and flushes take no time.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm'

async function aLife(commands: Iterable<fc.AsyncCommand<World, Controller>>): Promise<void> {
  const world = aWorld()
  const device = await startController(systemOf(world), {
    points: { ...world.plain, meter: 0 },
    blackHoles: BLACK_HOLES,
  })
  try {
    await fc.asyncModelRun(() => ({ model: world, real: device }), commands)
    await theEnd(world, device)
  } finally {
    await device.stop()
    rmSync(device.folder, { recursive: true, force: true })
  }
}

/** Everything comes right once nothing is wrong any more, and the cloud has each entry once. */
async function theEnd(world: World, device: Controller): Promise<void> {
  device.dieAt(undefined)
  device.confirms = true
  await device.reconnect()
  for (const step of [willing, mendLink, pass(11)]) await step.run(world, device)
}

test('whatever happens, the device does what a list of windows says', { timeout: 3_600_000 }, async () => {
  const commands = fc.commands(steps, { maxCommands: STEPS_A_LIFE, size: 'max' })
  while (stepsDone() < STEPS) {
    await fc.assert(fc.asyncProperty(commands, aLife), { numRuns: 20, ...(SEED && { seed: Number(SEED) }) })
  }
})
