import type { PayloadDescriptor, VtnEvent } from '../normal/events.ts'
import type { VtnProgram } from '../normal/objects.ts'

/** Returns a lookup of the unit of a payload: as the event says, else as its program says. */
export function unitsOf(programs: readonly VtnProgram[]) {
  const byId = new Map(programs.map((program) => [program.id, program.payloadDescriptors]))
  return ({ programId, payloadDescriptors }: VtnEvent, payload: string): string | null =>
    unitIn(payloadDescriptors, payload) ?? unitIn(byId.get(programId) ?? [], payload)
}

const unitIn = (descriptors: readonly PayloadDescriptor[], payload: string) =>
  descriptors.find(({ payloadType }) => payloadType === payload)?.units ?? null
