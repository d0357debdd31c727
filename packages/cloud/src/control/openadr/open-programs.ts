import type { Clock } from '@plantroom/base/clock'
import type { Db } from '../../platform/db/database.ts'
import { type Lease, timeOf } from '../../platform/work/index.ts'
import { digestOfEquipment } from './basis.ts'
import { findAllMapped } from './mapped-store.ts'
import { createPollStore } from './poll-store.ts'
import type { StoredProgram } from './program-store.ts'
import { profileOf } from './read-program.ts'
import { findAllStatuses } from './status-store.ts'

/** A program that a worker looks at. */
export interface OpenedProgram {
  program: StoredProgram
  /** By the clock of the database. What wakes the program after this counts for the next run. */
  startedAt: Date
  /** Digest of the equipment that the mapping names. */
  equipment: string
}

/** Opens programs and looks up their equipment, with the same few statements however many there are. */
export async function openPrograms(
  { db, clock }: { db: Db; clock: Clock },
  leases: readonly Lease<'id'>[],
): Promise<(OpenedProgram | undefined)[]> {
  const found = await createPollStore(db).open(
    leases.map(({ id }) => id),
    timeOf(clock),
  )
  const opened = [...found.values()]
  const mapped = await findAllMapped(
    db,
    opened.map(({ program: { organizationId, settings } }) => ({ organizationId, mapping: settings.mapping })),
  )
  const reporting = opened.flatMap(({ program }, place) => {
    const own = mapped[place]
    return own && reportsStatuses(program) ? [{ id: program.id, mapping: program.settings.mapping, mapped: own }] : []
  })
  const statuses = await findAllStatuses(db, reporting)
  const statusesOf = new Map(reporting.map(({ id }, place) => [id, statuses[place] ?? []]))
  const equipment = new Map(
    opened.flatMap(({ program: { id } }, place) => {
      const own = mapped[place]
      return own ? [[id, digestOfEquipment(own, statusesOf.get(id) ?? [])] as const] : []
    }),
  )
  return leases.map(({ id }) => {
    const one = found.get(id)
    return one && { ...one, equipment: equipment.get(id) ?? '' }
  })
}

const reportsStatuses = ({ settings }: StoredProgram) =>
  Object.values(profileOf(settings).reports).some(({ content }) => content === 'operational-status')
