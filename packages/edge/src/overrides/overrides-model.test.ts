import { existsSync, rmSync } from 'node:fs'
import fc from 'fast-check'
import { test } from 'vitest'
import { type Controller, startController } from '../testing/controller.ts'
import { restoreLink, willing } from './testing/equipment-steps.ts'
import { stepsDone } from './testing/step.ts'
import { steps } from './testing/steps.ts'
import { pass } from './testing/time-steps.ts'
import { aWorld, SILENT_CONNECTIONS, systemOf, type World } from './testing/world.ts'

const STEPS = Number(process.env.PLANTROOM_TEST_STEPS ?? 5_000)
/** The seed that a failure prints. Set it to repeat the same runs. */
const SEED = process.env.PLANTROOM_TEST_SEED
const STEPS_PER_RUN = 60

// Uses a RAM disk where there is one: crashes leave the same data, and flushes take no time.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm'

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

/** Ends all faults. The device must then recover, and the cloud must have each entry once. */
async function recoverEverything(world: World, device: Controller): Promise<void> {
  device.dieAt(undefined)
  device.confirms = true
  await device.reconnect()
  for (const step of [willing, restoreLink, pass(11)]) await step.run(world, device)
}

test('the device behaves like a simple list of overrides, whatever happens', { timeout: 3_600_000 }, async () => {
  const commands = fc.commands(steps, { maxCommands: STEPS_PER_RUN, size: 'max' })
  while (stepsDone() < STEPS) {
    await fc.assert(fc.asyncProperty(commands, runSteps), { numRuns: 20, ...(SEED && { seed: Number(SEED) }) })
  }
})
