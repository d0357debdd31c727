import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { Journal } from './journal.ts'
import type { Reserve } from './reserve.ts'
import { createStagedMap, type Stage, type StagedMap } from './staged-map.ts'
import { createTransaction, type Operation } from './transaction.ts'

const TRY_AGAIN_MS = 5_000

/** What a change does: everything that it writes reaches the disk with it, or none of it. */
export interface Change {
  write(statement: StatementSync, ...parameters: readonly SQLInputValue[]): void
  /** Runs when the change has been decided on in its favour, before anybody is answered. */
  after(action: () => void): void
  /** The same, but not before the change can be read from the disk: later, where that does not take it at once. */
  onDisk(action: () => void): void
}

/**
 * The one way to change the journal. Changes that are asked for in the same moment share one transaction and
 * so one flush of the disk; they are made in the order in which they were asked for.
 *
 * A change that throws, or writes what cannot be written, is refused alone and leaves nothing. It may be made more than
 * once before it is decided on, so it does nothing but read, write and set what is staged.
 */
export interface Commits {
  /** Resolves when it is on disk. Rejects, with nothing changed, when the disk does not take it. */
  save<Result>(change: (to: Change) => Result): Promise<Result>
  /**
   * For what must happen whatever the disk says: a release, a cancel. Resolves when it is on disk, or, where the disk
   * does not take it, when it is kept in memory to be written as soon as the disk does. Nobody needs to wait for it.
   */
  record<Result>(change: (to: Change) => Result): Promise<Result>
  /** State in memory that is changed inside changes only. */
  stagedMap<Key, Value>(initial?: Iterable<readonly [Key, Value]>): StagedMap<Key, Value>
  /** The same for what is read from the disk otherwise: it lasts only until it is there. */
  transactionMap<Key, Value>(): StagedMap<Key, Value>
  /** Writes what is still asked for; from then on everything is refused. */
  close(): void
}

interface Request {
  make(to: Change): unknown
  must: boolean
  resolve(result: unknown): void
  reject(error: unknown): void
}

interface Written {
  operations: Operation[]
  onDisk: (() => void)[]
}

/** What came of a request: a result with all that follows from it, or a refusal. */
interface Made extends Written {
  request: Request
  result: unknown
  refusal: { error: unknown } | undefined
  after: (() => void)[]
}

export function createCommits(deps: {
  journal: Journal
  reserve: Reserve
  clock: Clock
  log: Log
  /** Called around the flush, so that a test can end the process right there. */
  reached?: (point: 'flush:before' | 'flush:after') => void
}): Commits {
  const { journal, reserve, clock, log, reached = () => {} } = deps
  const transaction = createTransaction(journal)
  const stages: Stage[] = []
  let asked: Request[] = []
  /** Decided on, but not on disk: it has to be written before anything that was decided on later. */
  let owed: Written[] = []
  /** Why the disk does not take anything. */
  let trouble: string | undefined
  let scheduled = false
  let closed = false

  function staged<Map extends Stage>(map: Map): Map {
    stages.push(map)
    return map
  }

  function ask<Result>(change: (to: Change) => Result, must: boolean): Promise<Result> {
    const answer = new Promise<Result>((resolve, reject) => {
      if (closed) throw new Failure('unavailable', 'the device is stopping')
      asked.push({ make: change, must, resolve: resolve as (result: unknown) => void, reject })
      if (scheduled) return
      scheduled = true
      setImmediate(flush)
    })
    // Nobody needs to wait for an answer: one that nobody hears must not end the process.
    answer.catch(() => {})
    return answer
  }

  function flush(): void {
    scheduled = false
    if (closed) return
    const requests = asked
    asked = []
    const tight = reserve.hasRoom() ? undefined : 'less space is left than it needs'
    let made = writeAll(requests, tight)
    if (!made) {
      makeRoom()
      made = writeAll(requests, trouble)
    }
    if (made) settle(made, true)
    else
      settle(
        requests.map((request) => make(request, trouble)),
        false,
      )
  }

  /** In one transaction, with what is owed. `undefined` when the disk does not take it: then nothing is left of it. */
  function writeAll(requests: readonly Request[], tight: string | undefined): Made[] | undefined {
    let made: Made[]
    let flushed = false
    try {
      for (const { operations } of owed) {
        const fault = transaction.take(operations)
        if (fault) log.error({ err: fault }, 'what was kept in memory cannot be written')
      }
      made = requests.map((request) => make(request, tight, transaction.take))
      if (transaction.begun) {
        reached('flush:before')
        transaction.commit()
        flushed = true
      }
    } catch (error) {
      transaction.abandon()
      for (const stage of stages) {
        stage.endChange(false)
        stage.endTransaction(false)
      }
      tellOfTrouble(error instanceof Error ? error.message : String(error))
      return undefined
    }
    if (flushed) {
      reached('flush:after')
      tellOfTrouble(undefined)
      // There may be no space for a longer log.
      if (tight !== undefined) transaction.checkpoint()
    }
    return made
  }

  function tellOfTrouble(reason: string | undefined): void {
    if (reason === trouble) return
    if (reason === undefined) log.info('the journal can be written again')
    else log.error({ reason }, 'the journal cannot be written')
    trouble = reason
  }

  function makeRoom(): void {
    transaction.checkpoint()
    try {
      reserve.release()
    } catch (error) {
      log.warn({ err: error }, 'the space reserved for releases cannot be used')
    }
    transaction.checkpoint()
  }

  /** `tight`: why the disk is kept for what must happen. Without `take` it is decided on in memory alone. */
  function make(
    request: Request,
    tight: string | undefined,
    take: (operations: readonly Operation[]) => Error | undefined = () => undefined,
  ): Made {
    const made: Made = { request, result: undefined, refusal: undefined, operations: [], after: [], onDisk: [] }
    try {
      made.result = request.make({
        write: (statement, ...parameters) => void made.operations.push({ statement, parameters }),
        after: (action) => void made.after.push(action),
        onDisk: (action) => void made.onDisk.push(action),
      })
      if (tight !== undefined && !request.must && made.operations.length > 0) throw noRoom(tight)
    } catch (error) {
      made.refusal = { error }
    }
    const fault = made.refusal ? undefined : take(made.operations)
    if (fault) made.refusal = { error: fault }
    for (const stage of stages) stage.endChange(!made.refusal)
    return made
  }

  function settle(made: readonly Made[], written: boolean): void {
    const favoured = made.filter(({ refusal }) => !refusal)
    for (const stage of stages) stage.endTransaction(true)
    const waiting = [...owed, ...favoured]
    owed = written ? [] : waiting.filter(({ operations, onDisk }) => operations.length > 0 || onDisk.length > 0)
    if (written) for (const stage of stages) stage.written()
    for (const { after } of favoured) after.forEach(act)
    if (written) for (const { onDisk } of waiting) onDisk.forEach(act)
    for (const { request, result, refusal } of made) {
      if (!refusal) request.resolve(result)
      else refuse(request, refusal.error)
    }
  }

  /** What one of them does wrong must not be in the way of the others. */
  function act(action: () => void): void {
    try {
      action()
    } catch (error) {
      log.error({ err: error }, 'what follows from a change failed')
    }
  }

  function refuse({ reject }: Request, error: unknown): void {
    if (!(error instanceof Failure)) log.error({ err: error }, 'a change failed')
    reject(error)
  }

  const stopTrying = every(clock, TRY_AGAIN_MS, () => {
    if (owed.length > 0) void ask(() => {}, true)
    else reserve.restore()
  })

  return {
    save: (change) => ask(change, false),
    record: (change) => ask(change, true),
    stagedMap: <Key, Value>(initial?: Iterable<readonly [Key, Value]>) => staged(createStagedMap<Key, Value>(initial)),
    transactionMap: <Key, Value>() => staged(createStagedMap<Key, Value>([], false)),
    close() {
      stopTrying()
      // What follows from a change may ask for another.
      do flush()
      while (asked.length > 0)
      closed = true
      if (owed.length > 0) log.error({ changes: owed.length }, 'what could not be written is lost')
    },
  }
}

function noRoom(reason: string): Failure {
  return new Failure(
    'rejected',
    `the controller cannot keep the command on its disk (${reason}), so it was not taken; free some space or mend the disk`,
  )
}
