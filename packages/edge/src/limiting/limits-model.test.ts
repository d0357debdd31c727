import { rmSync } from 'node:fs'
import { isCampaign, repeat, repetitions } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { test } from 'vitest'
import { type Controller, startController } from '../testing/controller.ts'
import { comesBack, limitSteps, pass, settle } from './testing/limit-steps.ts'
import { aLimitsWorld, type LimitsWorld, type PlantLoads, pointsOf, siteKw, systemOf } from './testing/limits-world.ts'

const BLOCKS = 1
const LIVES_PER_BLOCK = isCampaign ? 4 : 1
const BLOCK_TIMEOUT_MS = 180_000
const STEPS_PER_LIFE = isCampaign ? 25 : 12
/** Longer than any limit or override, and than a load stays off. */
const TO_THE_END = [7_200, 900]

async function live(loads: PlantLoads, commands: Iterable<fc.AsyncCommand<LimitsWorld, Controller>>): Promise<void> {
  const world = aLimitsWorld(loads)
  const device = await startController(systemOf(world), { points: pointsOf(world) })
  device.equipment.showing = (id, raw) => (id === 'meter' ? (world.frozenAt ?? siteKw(world, device)) : raw)
  await device.pass(2)
  try {
    await fc.asyncModelRun(() => ({ model: world, real: device }), commands)
    for (const step of [...comesBack, settle, ...TO_THE_END.map(pass)]) await step.run(world, device)
  } finally {
    await device.stop()
    rmSync(device.folder, { recursive: true, force: true })
  }
}

const somePlant: fc.Arbitrary<PlantLoads> = fc.record({
  modulating: fc.array(
    fc.constantFrom(
      { minKw: -50, maxKw: 50, plainKw: 20 },
      { minKw: 0, maxKw: 22, plainKw: 11 },
      { minKw: -10, maxKw: 10, plainKw: -5 },
    ),
    { minLength: 1, maxLength: 2 },
  ),
  switching: fc.array(
    fc.record({
      ratedKw: fc.constantFrom(3, 9),
      plain: fc.constantFrom(1, 1, 0),
      minOffSeconds: fc.constantFrom(0, 60, 300),
    }),
    { maxLength: 2 },
  ),
})

test('the registers are what a list of limits, overrides and schedules says, whatever happens', {
  timeout: repetitions(BLOCKS) * BLOCK_TIMEOUT_MS,
}, async () => {
  const commands = fc.commands(limitSteps, { maxCommands: STEPS_PER_LIFE, size: 'max' })
  await repeat(BLOCKS, ({ seed }) =>
    fc.assert(fc.asyncProperty(somePlant, commands, live), { numRuns: LIVES_PER_BLOCK, seed }),
  )
})
