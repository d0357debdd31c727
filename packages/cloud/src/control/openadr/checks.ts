import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import type { Db } from '../../platform/db/database.ts'
import { CHECKS, createCheckStore } from './check-store.ts'
import { checkVtn } from './check-vtn.ts'
import { createProgramStore } from './program-store.ts'
import { openOnce, type SessionDeps } from './vtn-sessions.ts'

/** Stores a check, in the transaction of the caller, and returns its id. */
export async function askForCheck(
  tx: Db,
  program: { id: string; organizationId: string },
  clock: Clock,
): Promise<string> {
  const id = newId('check')
  const { id: programId, organizationId } = program
  await createCheckStore(tx).add({ id, programId, organizationId }, new Date(clock.now()))
  return id
}

/** Someone waits for the outcome, but not for longer. */
const CHECK_MS = 60_000

/** Runs the checks that people ask for. */
export const checks = ({ db, ...deps }: SessionDeps & { db: Db }) =>
  CHECKS.kind(async (lease) => {
    const store = createCheckStore(db)
    const programId = await store.programOf(lease)
    const program = await createProgramStore(db).read(lease.organizationId, programId)
    if (!program) return
    const made: string[] = []
    const outcome = await checkVtn(
      program,
      () => openOnce(program, deps).within(CHECK_MS),
      deps.clock,
      (id) => void made.push(id),
    )
    await store.settle(lease, programId, outcome, made)
  })
