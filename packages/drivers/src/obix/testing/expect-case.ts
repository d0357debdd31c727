import { expect } from 'vitest'
import type { Driver } from '../../driver.ts'
import { failure } from './bench.ts'
import { type Case, written } from './case.ts'
import { never } from './connection.ts'

/** Runs the steps of a case on the driver, and checks the results. */
export async function expectCase({ opening, does }: Case, driver: Driver): Promise<void> {
  if (opening === undefined) await driver.open(never)
  else await expect(driver.open(never)).rejects.toEqual(failure('offline', opening))
  for (const step of does) {
    if ('read' in step) {
      const readings = await driver.read(step.read, { urgent: step.urgent ?? false })
      expect(readings.map(written)).toEqual(step.gives)
    } else if (step.fails) await expect(driver.write(...step.write)).rejects.toMatchObject(step.fails)
    else await driver.write(...step.write)
  }
}
