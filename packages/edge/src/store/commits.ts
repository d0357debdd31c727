import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { type AcceptedWrites, type Change, type Executed, execute, type Request, superseded } from './execute-change.ts'
import type { Journal } from './journal.ts'
import type { Reserve } from './reserve.ts'
import { createStagedMap, type Stage, type StagedMap } from './staged-map.ts'
import { createTransaction, type Operation, type Transaction } from './transaction.ts'

export type { Change } from './execute-change.ts'

const RETRY_MS = 5_000

/**
 * The only way to change the journal. Changes requested in the same turn of the event loop share one transaction, and
 * so one flush of the disk. They run in the order in which they were requested.
 *
 * A change that throws, or whose writes fail by themselves, is rejected alone and leaves nothing behind. A change may
 * run more than once before it is accepted, so it must only read, write and set staged state.
 */
export interface Commits {
  /** Resolves when the change is on disk. Rejects, with nothing changed, when the disk fails. */
  save<Result>(change: (to: Change) => Result): Promise<Result>
  /**
   * For changes that must happen even when the disk fails: a release, a cancel. Resolves when the change is on disk or,
   * when the disk fails, kept in memory until it can be written. The caller need not wait for it.
   */
  record<Result>(change: (to: Change) => Result): Promise<Result>
  /** Creates state in memory that only changes may modify. */
  stagedMap<Key, Value>(initial?: Iterable<readonly [Key, Value]>): StagedMap<Key, Value>
  /** Creates a staged map that is emptied when the transaction is on disk, for data that is read from the disk then. */
  transactionMap<Key, Value>(): StagedMap<Key, Value>
  /** Why the journal cannot be written; `undefined` when it can. */
  trouble(): string | undefined
  /** Returns how many transactions have reached the disk. */
  flushes(): number
  /** Writes pending changes. Every later change is rejected. */
  close(): void
}

/** What one transaction leaves to do, after its staged state is published. */
interface Done {
  executed: readonly Executed[]
  onDisk: readonly (() => void)[]
}

/** What the journal counts, and what keeps it from the disk of the device. */
export interface KeptMemory {
  /** Counts a transaction, as part of it. */
  readonly count: Operation
  /** The transaction is on disk. */
  counted(): void
  /** Why only mandatory changes are accepted; `undefined` when all are. */
  trouble(): string | undefined
}

interface CommitsDeps {
  journal: Journal
  memory?: KeptMemory
  reserve: Reserve
  clock: Clock
  log: Log
  /** Called around the flush, so that a test can end the process at that point. */
  reached?: (point: 'flush:before' | 'flush:after') => void
}

interface State extends CommitsDeps {
  reached: NonNullable<CommitsDeps['reached']>
  transaction: Transaction
  stages: Stage[]
  requests: Request[]
  /** Accepted but not on disk. Must be written before anything that is accepted later. */
  backlog: AcceptedWrites[]
  /** Why the last write failed. */
  trouble: string | undefined
  flushes: number
  isScheduled: boolean
  closed: boolean
}

export function createCommits(deps: CommitsDeps): Commits {
  const state: State = {
    ...deps,
    reached: deps.reached ?? (() => {}),
    transaction: createTransaction(deps.journal),
    stages: [],
    requests: [],
    backlog: [],
    trouble: undefined,
    flushes: 0,
    isScheduled: false,
    closed: false,
  }
  const stopRetrying = every(deps.clock, RETRY_MS, () => {
    if (state.backlog.length > 0) void request(state, () => {}, true)
    else deps.reserve.restore()
  })
  return {
    save: (change) => request(state, change, false),
    record: (change) => request(state, change, true),
    stagedMap: <Key, Value>(initial?: Iterable<readonly [Key, Value]>) =>
      register(state, createStagedMap<Key, Value>(initial)),
    transactionMap: <Key, Value>() => register(state, createStagedMap<Key, Value>([], false)),
    trouble: () => deps.memory?.trouble() ?? state.trouble,
    flushes: () => state.flushes,
    close() {
      stopRetrying()
      // The actions that follow a change may request another.
      do flush(state)
      while (state.requests.length > 0)
      state.closed = true
      if (state.backlog.length > 0) deps.log.error({ changes: state.backlog.length }, 'unwritten changes are lost')
    },
  }
}

function register<Map extends Stage>({ stages }: State, map: Map): Map {
  stages.push(map)
  return map
}

function request<Result>(state: State, change: (to: Change) => Result, isMandatory: boolean): Promise<Result> {
  const answer = new Promise<Result>((resolve, reject) => {
    if (state.closed) throw new Failure('unavailable', 'the device is stopping')
    state.requests.push({ change, isMandatory, resolve: resolve as (result: unknown) => void, reject })
    if (state.isScheduled) return
    state.isScheduled = true
    setImmediate(() => flush(state))
  })
  // Callers need not wait for the answer, and an unheard rejection must not end the process.
  answer.catch(() => {})
  return answer
}

function flush(state: State): void {
  state.isScheduled = false
  if (state.closed) return
  const { requests } = state
  state.requests = []
  const done = carryOut(state, requests)
  follow(state, [done, ...revokeLate(state, done)])
}

/** Runs the requests in one transaction, or in memory when the disk fails. */
function carryOut(state: State, requests: readonly Request[]): Done {
  const lowSpace = state.reserve.hasRoom() ? undefined : 'less space is left than it needs'
  const isAsked = requests.some(({ isMandatory }) => !isMandatory)
  let executed = writeAll(state, requests, (isAsked ? state.memory?.trouble() : undefined) ?? lowSpace)
  if (!executed) {
    makeRoom(state)
    executed = writeAll(state, requests, state.trouble)
  }
  if (executed) return publish(state, executed, true)
  const inMemory = requests.map((one) => execute(state.stages, one, state.trouble))
  return publish(state, inMemory, false)
}

/** Undoes the changes that reached the disk too late. Nothing has followed from them yet. */
function revokeLate(state: State, { executed }: Done): Done[] {
  const undo: Request[] = []
  for (const one of executed) {
    one.revoked = one.rejection ? undefined : one.revocation?.tooLate()
    if (!one.revoked || !one.revocation) continue
    undo.push({ change: one.revocation.undo, isMandatory: true, resolve: () => {}, reject: () => {} })
  }
  return undo.length === 0 ? [] : [carryOut(state, undo)]
}

/**
 * Runs the requests and writes them with the backlog in one transaction. Returns `undefined` when the disk fails: then
 * nothing of it remains. `shortage` says why only mandatory changes are accepted.
 */
function writeAll(state: State, requests: readonly Request[], shortage: string | undefined): Executed[] | undefined {
  const { transaction, backlog, log, reached, memory } = state
  const executed: Executed[] = []
  let flushed = false
  try {
    for (const { operations } of backlog) {
      const fault = transaction.take(operations)
      if (fault) log.error({ err: fault }, 'a change kept in memory cannot be written; it is dropped')
    }
    for (const one of requests) {
      executed.push(executed.at(-1)?.isLast ? superseded(one) : execute(state.stages, one, shortage, transaction.take))
    }
    if (transaction.begun) {
      if (memory) transaction.take([memory.count])
      reached('flush:before')
      transaction.commit()
      flushed = true
    }
  } catch (error) {
    transaction.abandon()
    for (const stage of state.stages) {
      stage.endChange(false)
      stage.endTransaction(false)
    }
    setTrouble(state, error instanceof Error ? error.message : String(error))
    return undefined
  }
  if (flushed) {
    state.flushes += 1
    memory?.counted()
    reached('flush:after')
    setTrouble(state, undefined)
    // There may be no space for a longer log.
    if (shortage !== undefined) transaction.checkpoint()
  }
  return executed
}

/** Publishes staged state. What is not written waits for the next transaction. */
function publish(state: State, executed: readonly Executed[], isWritten: boolean): Done {
  const accepted = executed.filter(({ rejection }) => !rejection)
  for (const stage of state.stages) stage.endTransaction(true)
  const waiting = [...state.backlog, ...accepted]
  state.backlog = isWritten
    ? []
    : waiting.filter(({ operations, onDisk }) => operations.length > 0 || onDisk.length > 0)
  if (isWritten) for (const stage of state.stages) stage.written()
  if (isWritten && executed.at(-1)?.isLast) state.closed = true
  return { executed, onDisk: isWritten ? waiting.flatMap(({ onDisk }) => onDisk) : [] }
}

/** Runs the actions that follow the accepted changes, and answers the callers. */
function follow(state: State, done: readonly Done[]): void {
  const executed = done.flatMap((one) => one.executed)
  for (const { after, rejection } of executed) if (!rejection) for (const action of after) run(state, action)
  for (const { onDisk } of done) for (const action of onDisk) run(state, action)
  for (const { request, result, rejection, revoked } of executed) {
    if (revoked) request.reject(revoked)
    else if (!rejection) request.resolve(result)
    else {
      if (!(rejection.error instanceof Failure)) state.log.error({ err: rejection.error }, 'a change failed')
      request.reject(rejection.error)
    }
  }
}

// A failing action must not keep the others from running.
function run({ log }: State, action: () => void): void {
  try {
    action()
  } catch (error) {
    log.error({ err: error }, 'an action that follows a change failed')
  }
}

function setTrouble(state: State, reason: string | undefined): void {
  if (reason === state.trouble) return
  if (reason === undefined) state.log.info('the journal can be written again')
  else state.log.error({ reason }, 'the journal cannot be written')
  state.trouble = reason
}

function makeRoom({ transaction, reserve, log }: State): void {
  transaction.checkpoint()
  try {
    reserve.release()
  } catch (error) {
    log.warn({ err: error }, 'the space reserved for releases cannot be used')
  }
  transaction.checkpoint()
}
