import type { Reading } from '../driver.ts'
import { executePlan } from '../modbus/execute-plan.ts'
import { createHoles } from '../modbus/holes.ts'
import { PlanRun, type ReadMemory } from '../modbus/plan-run.ts'
import { createReadPlan } from '../modbus/read-plan.ts'
import type { UnitSession } from '../modbus/unit-session.ts'
import type { ReadRegisters } from './walk.ts'

export const newMemory = (): ReadMemory => ({ holes: createHoles(), recent: undefined, probes: 0, returns: 0 })

const LIMITS = { maxRegistersPerRead: 125, maxGap: 0 }

/** Reads single ranges like values of a plan, so that a silent unit is probed and not asked again and again. */
export function registersOf(session: UnitSession, memory: ReadMemory, urgent = false): ReadRegisters {
  return async (register, width) => {
    let found: DataView | undefined
    const read = (wire: DataView, at: number): Reading => {
      found = new DataView(wire.buffer, wire.byteOffset + at, width * 2)
      return { raw: 0 }
    }
    const points = new Map([['range', { table: 'holding' as const, register, width, read }]])
    const plan = createReadPlan(['range'], points, LIMITS, memory.holes)
    const [reading] = await executePlan(new PlanRun(plan, memory, session, urgent))
    return found ?? { error: reading && 'error' in reading ? reading.error : 'not read' }
  }
}
