import type { Clock } from '@plantroom/base/clock'
import type { Db } from '../../platform/db/database.ts'
import type { Duty, WorkKind } from '../../platform/work/index.ts'
import { CHECKS, createCheckStore } from './check-store.ts'
import { checkVtn } from './check-vtn.ts'
import { createProgramStore } from './program-store.ts'
import { openOnce, type SessionDeps } from './vtn-sessions.ts'

const LOOK_MS = 250
const HOUR_MS = 3_600_000

/** Runs the checks that people ask for. */
export const checks = ({ db, ...deps }: SessionDeps & { db: Db }): WorkKind<'openadr_check', 'id'> => ({
  name: 'openadr-check',
  rows: CHECKS,
  atOnce: 4,
  perOrganization: 2,
  lookMs: LOOK_MS,
  async run(lease) {
    const store = createCheckStore(db)
    const programId = await store.programOf(lease)
    const program = await createProgramStore(db).read(lease.organizationId, programId)
    if (!program) return
    await store.settle(lease, programId, await checkVtn(program, () => openOnce(program, deps), deps.clock))
  },
})

/** Removes checks that no cloud process waits for any more. */
export const forgetChecks = ({ db, clock }: { db: Db; clock: Clock }): Duty => ({
  name: 'openadr-checks',
  everyMs: HOUR_MS,
  async run() {
    await createCheckStore(db).removeBefore(new Date(clock.now() - HOUR_MS))
    return undefined
  },
})
