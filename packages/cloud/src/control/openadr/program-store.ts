import {
  MAX_CHECKS_PER_HOUR,
  type OpenadrCheck,
  type OpenadrProgram,
  type OpenadrProgramState,
} from '@plantroom/contract/openadr'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { VtnProgram, VtnResource, VtnVen } from '@plantroom/openadr/objects'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { PROGRAM } from '../fleet/index.ts'

const HOUR_MS = 3_600_000

/** What an administrator entered, beside the name, the secret and whether it is active. */
export type ProgramSettings = Pick<OpenadrProgram, (typeof SETTINGS)[number]>
export const SETTINGS = [
  'vtnUrl',
  'version',
  'profile',
  'ownProfile',
  'tokenUrl',
  'scope',
  'audience',
  'clientId',
  'programNames',
  'venName',
  'pollSeconds',
  'mapping',
] as const satisfies readonly (keyof OpenadrProgram)[]

/** What is known of a VTN since it was first asked. */
export interface FoundVtn {
  venId?: string
  venTargets?: VtnVen['targets']
  resources?: readonly Pick<VtnResource, 'id' | 'name' | 'targets'>[]
  programs?: readonly VtnProgram[]
  /** Why the VEN or a resource could not be registered; for people. */
  registerProblem?: string | null
  /** When programs, the VEN and its resources were last looked up. */
  registeredAt?: number
  missingPrograms?: readonly string[]
  /** By id: the VTN lists them, and answers 404 for their events. */
  lostPrograms?: readonly string[]
  missingDatapoints?: readonly string[]
  clockOffsetMs?: number | null
  notifications?: 'webhook' | 'mqtt' | null
  /** What announces changes to us: ours at the VTN, and its broker. */
  subscriptions?: readonly FoundSubscription[]
  broker?: FoundBroker | null
  /** Why the VTN announces nothing by webhook; for people. `null`: it does, or has none. */
  webhookProblem?: string | null
  /** When the VTN was last asked, whatever it answered. */
  askedAt?: number
  /** Digest of the events that are stored. */
  events?: string
  /** Digest of what was last reconciled. */
  basis?: string
  /** How many wanted placements exceeded what a program may have. */
  omitted?: number
}

export interface FoundSubscription {
  id: string
  /** At the VTN. */
  programId: string
  callbackUrl: string
}

/** A broker at which a VTN announces changes, with the topics as it names them. */
export interface FoundBroker {
  url: string
  /** Of a broker that wants the token of the session as the password. */
  username: string | null
  topics: readonly string[]
}

export interface ProgramToAdd {
  id: string
  organizationId: string
  name: string
  active: boolean
  settings: ProgramSettings
  secret: Buffer
  notifyToken: string
  siteIds: readonly string[]
}

export interface StoredProgram {
  id: string
  organizationId: string
  name: string
  active: boolean
  settings: ProgramSettings
  secret: Buffer
  notifyToken: string
  siteIds: readonly string[]
  pollAt: Date
  /** When to look at placements and reports, even if the VTN says nothing new. */
  reconcileAt: Date
  polledAt: Date | null
  failingSince: Date | null
  failures: number
  problem: string | null
  found: FoundVtn
  /** The resources that we made at the VTN, by their ids there. */
  madeResources: readonly string[]
  createdAt: Date
  lastCheck: OpenadrCheck | null
}

/** Who sees programs: people those whose sites they all manage. `undefined`: all of the organization. */
export interface ProgramView {
  organizationId: string
  siteIds: ReadonlySet<string> | undefined
}

/** The condition that a caller sees `openadr_program`. */
export const isSeen = ({ organizationId, siteIds }: ProgramView): RawBuilder<boolean> =>
  siteIds === undefined
    ? sql<boolean>`openadr_program.organization_id = ${organizationId}`
    : sql<boolean>`openadr_program.organization_id = ${organizationId} AND site_ids <@ ${[...siteIds]}::text[]`

export const PROGRAM_COLUMNS = sql`id, organization_id AS "organizationId", name, active, settings, secret, notify_token AS "notifyToken",
  site_ids AS "siteIds", poll_at AS "pollAt", reconcile_at AS "reconcileAt", polled_at AS "polledAt", failing_since AS "failingSince", failures, problem, found,
  made_resources AS "madeResources", created_at AS "createdAt", last_check AS "lastCheck"`

interface Counts {
  events: number
  placed: number
  refused: number
  reportsDue: number
  reportsRefused: number
}

/** The programs of organizations, as administrators see and change them. */
export function createProgramStore(db: Db) {
  return {
    async list(view: ProgramView, now: Date): Promise<OpenadrProgram[]> {
      const { rows } = await sql<StoredProgram>`
        SELECT ${PROGRAM_COLUMNS} FROM openadr_program WHERE ${isSeen(view)} ORDER BY created_at, id`.execute(db)
      const counts = await count(
        db,
        rows.map(({ id }) => id),
        now,
      )
      return rows.map((row) => shownProgram(row, counts.get(row.id)))
    },

    async find(view: ProgramView, id: string, now: Date): Promise<OpenadrProgram | undefined> {
      const { rows } = await sql<StoredProgram>`
        SELECT ${PROGRAM_COLUMNS} FROM openadr_program WHERE ${isSeen(view)} AND id = ${id}`.execute(db)
      return rows[0] && shownProgram(rows[0], (await count(db, [id], now)).get(id))
    },

    /** A program with its sealed secret. */
    async read(organizationId: string, id: string): Promise<StoredProgram | undefined> {
      const { rows } = await sql<StoredProgram>`
        SELECT ${PROGRAM_COLUMNS} FROM openadr_program WHERE organization_id = ${organizationId} AND id = ${id}`.execute(
        db,
      )
      return rows[0]
    },

    /** Locks a program, in a transaction. */
    async lock(organizationId: string, id: string): Promise<StoredProgram | undefined> {
      const { rows } = await sql<StoredProgram>`
        SELECT ${PROGRAM_COLUMNS} FROM openadr_program
        WHERE organization_id = ${organizationId} AND id = ${id} FOR UPDATE`.execute(db)
      return rows[0]
    },

    /** Locks the organization, so that two callers cannot both take the last place. `undefined`: there is none. */
    async countOf(organizationId: string): Promise<number | undefined> {
      // Two statements: one that waits for the lock would count what it saw before.
      const own = await sql`SELECT FROM organization WHERE id = ${organizationId} FOR NO KEY UPDATE`.execute(db)
      if (own.rows.length === 0) return undefined
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::integer AS count FROM openadr_program WHERE organization_id = ${organizationId}`.execute(db)
      return rows[0]?.count
    },

    async add({ id, organizationId, name, active, settings, secret, notifyToken, siteIds }: ProgramToAdd) {
      await db
        .insertInto('openadr_program')
        .values({
          ...{ id, name, active, secret },
          organization_id: organizationId,
          settings: JSON.stringify(settings),
          notify_token: notifyToken,
          site_ids: [...siteIds],
          polled_at: null,
          failing_since: null,
          problem: null,
          reported_until: null,
          last_check: null,
          asked_until: null,
        })
        .execute()
    },

    /** A change ends the lease of the worker that has the program: what that one found is about the program before. */
    async change(
      id: string,
      changes: Pick<ProgramToAdd, 'name' | 'active' | 'settings' | 'siteIds'> & {
        secret?: Buffer
        isOtherVtn: boolean
        /** What we made at the VTN is deleted there. */
        leavesVtn: boolean
        /** What announces changes is deleted at the VTN, and made again when the program is active. */
        isPaused: boolean
      },
      now: Date,
    ): Promise<void> {
      const { name, active, settings, siteIds, secret, isOtherVtn, leavesVtn, isPaused } = changes
      await db
        .updateTable('openadr_program')
        .set(({ eb }) => ({
          ...{ name, active },
          ...(secret && { secret }),
          // The VTN is asked at once which programs there are: others may be wanted.
          found: isPaused ? sql<string>`found - 'subscriptions' - 'registeredAt'` : sql<string>`found - 'registeredAt'`,
          ...(isOtherVtn && { found: '{}' }),
          ...(leavesVtn && { made_resources: [] }),
          settings: JSON.stringify(settings),
          site_ids: [...siteIds],
          ...{ problem: null, failing_since: null, failures: 0, attempts: 0, leased_until: null },
          ...{ poll_at: now, due_at: now, reconcile_at: now },
          claim: eb('claim', '+', 1),
        }))
        .where('id', '=', id)
        .execute()
    },

    /** Remembers resources that we made at the VTN. */
    async addMade(id: string, resourceIds: readonly string[]): Promise<void> {
      if (resourceIds.length === 0) return
      await sql`
        UPDATE openadr_program SET made_resources = made_resources || ${[...resourceIds]}::text[] WHERE id = ${id}`.execute(
        db,
      )
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom('openadr_program').where('id', '=', id).execute()
    },

    /** The dispatches of a program whose time is not over. */
    async openDispatches(id: string, now: Date): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        SELECT dispatch_id AS id FROM openadr_placement
        WHERE program_id = ${id} AND dispatch_id IS NOT NULL AND to_at > ${now}`.execute(db)
      return rows.map((row) => row.id)
    },

    /** Ends what a program placed, beside its dispatches. */
    async endPlacements(id: string, now: Date): Promise<void> {
      await sql`UPDATE openadr_placement SET ended_at = ${now} WHERE program_id = ${id} AND ended_at IS NULL`.execute(
        db,
      )
    },

    /** Counts a check. Returns how long to wait when there were too many in this hour. */
    async countCheck(id: string, now: Date): Promise<number> {
      const { rows } = await sql<{ asked: number; until: Date }>`
        UPDATE openadr_program SET
          asked = CASE WHEN asked_until > ${now} THEN asked + 1 ELSE 1 END,
          asked_until = CASE WHEN asked_until > ${now} THEN asked_until ELSE ${new Date(now.getTime() + HOUR_MS)} END
        WHERE id = ${id} RETURNING asked, asked_until AS until`.execute(db)
      const [row] = rows
      return row && row.asked > MAX_CHECKS_PER_HOUR ? row.until.getTime() - now.getTime() : 0
    },
  }
}

async function count(db: Db, ids: readonly string[], now: Date): Promise<Map<string, Counts>> {
  const dayAgo = new Date(now.getTime() - 24 * HOUR_MS)
  const { rows } = await sql<Counts & { id: string }>`
    SELECT program.id,
      (SELECT count(*)::integer FROM openadr_event AS event WHERE event.program_id = program.id AND deleted_at IS NULL
        AND (ends_at IS NULL OR ends_at > ${now})) AS events,
      coalesce(placed.placed, 0) AS placed, coalesce(placed.refused, 0) AS refused,
      (SELECT count(*)::integer FROM openadr_report AS report WHERE report.program_id = program.id
        AND state = 'waiting' AND should_at <= ${now}) AS "reportsDue",
      (SELECT count(*)::integer FROM openadr_report AS report WHERE report.program_id = program.id
        AND state = 'refused' AND should_at > ${dayAgo}) AS "reportsRefused"
    FROM unnest(${[...ids]}::text[]) AS program (id)
    LEFT JOIN LATERAL (
      SELECT (count(*) FILTER (WHERE NOT is_refused))::integer AS placed, (count(*) FILTER (WHERE is_refused))::integer AS refused
      FROM (
        SELECT placement.dispatch_id IS NULL OR EXISTS (
          SELECT FROM fleet_target AS target
          WHERE target.dispatch_id = placement.dispatch_id AND target.outcome IN ('refused', 'offline', 'expired')
            AND NOT target.is_replaced
        ) AS is_refused
        FROM openadr_placement AS placement
        WHERE placement.program_id = program.id AND ended_at IS NULL AND to_at > ${now}
      ) AS one
    ) AS placed ON true`.execute(db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

const NO_COUNTS: Counts = { events: 0, placed: 0, refused: 0, reportsDue: 0, reportsRefused: 0 }

/** The caller whose dispatches are those of a program. */
export const ownerOf = ({ id, name }: Pick<StoredProgram, 'id' | 'name'>) => ({ id: `${PROGRAM}${id}`, name })

const timeOrNull = (time: Date | null) => time && formatTimestamp(time.getTime())

function stateOf({ active, polledAt, failingSince }: StoredProgram): OpenadrProgramState {
  if (!active) return 'paused'
  if (failingSince) return 'failing'
  return polledAt ? 'connected' : 'new'
}

function shownProgram(program: StoredProgram, counts: Counts = NO_COUNTS): OpenadrProgram {
  const { id, name, active, settings, siteIds, found, problem, lastCheck, createdAt } = program
  return {
    ...{ id, name, active, problem, lastCheck, counts },
    ...settings,
    siteIds: [...siteIds],
    state: stateOf(program),
    failingSince: timeOrNull(program.failingSince),
    polledAt: timeOrNull(program.polledAt),
    nextPollAt: active ? timeOrNull(program.pollAt) : null,
    missingPrograms: [...(found.missingPrograms ?? [])],
    missingDatapoints: [...(found.missingDatapoints ?? [])],
    clockOffsetMs: found.clockOffsetMs ?? null,
    notifications: found.notifications ?? null,
    notificationProblem: found.notifications ? null : (found.webhookProblem ?? null),
    createdAt: formatTimestamp(createdAt.getTime()),
  }
}
