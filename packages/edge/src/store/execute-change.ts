import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { Failure } from '@plantroom/contract/failure'
import type { Stage } from './staged-map.ts'
import type { Operation, Transaction } from './transaction.ts'

/** Collects the effects of a change. All its writes reach the disk together, or none does. */
export interface Change {
  write(statement: StatementSync, ...parameters: readonly SQLInputValue[]): void
  /** Runs the action when the change has been accepted, before its caller gets an answer. */
  after(action: () => void): void
  /** Runs the action when the change can be read from the disk, which may be later when the disk has problems. */
  onDisk(action: () => void): void
  /**
   * Asks `tooLate` when the change is on disk. If it returns a failure, `undo` runs as a change of its own before anything
   * follows from this one, and the caller gets the failure.
   */
  revokeIf(tooLate: () => Failure | undefined, undo: (to: Change) => void): void
  /** Rejects every change after this one: the journal is no longer what this process has in memory. */
  isLast(): void
}

/** A change, and the caller who waits for it. */
export interface Request {
  change(to: Change): unknown
  /** Accepted even when the disk fails. */
  isMandatory: boolean
  resolve(result: unknown): void
  reject(error: unknown): void
}

export interface AcceptedWrites {
  operations: Operation[]
  onDisk: (() => void)[]
}

/** The result of running a request: accepted with its effects, or rejected. */
export interface Executed extends AcceptedWrites {
  request: Request
  result: unknown
  rejection: { error: unknown } | undefined
  after: (() => void)[]
  revocation: { tooLate(): Failure | undefined; undo(to: Change): void } | undefined
  /** Why it was undone. */
  revoked: Failure | undefined
  isLast: boolean
}

/** Runs one change and stages its effects. Without `take`, the change is accepted in memory alone. */
export function execute(
  stages: readonly Stage[],
  request: Request,
  shortage: string | undefined,
  take: Transaction['take'] = () => undefined,
): Executed {
  const executed = newExecuted(request)
  try {
    executed.result = request.change({
      write: (statement, ...parameters) => void executed.operations.push({ statement, parameters }),
      after: (action) => void executed.after.push(action),
      onDisk: (action) => void executed.onDisk.push(action),
      revokeIf(tooLate, undo) {
        executed.revocation = { tooLate, undo }
      },
      isLast() {
        executed.isLast = true
      },
    })
    if (shortage !== undefined && !request.isMandatory && executed.operations.length > 0) throw noRoom(shortage)
  } catch (error) {
    executed.rejection = { error }
  }
  const fault = executed.rejection ? undefined : take(executed.operations)
  if (fault) executed.rejection = { error: fault }
  if (executed.rejection) executed.isLast = false
  for (const stage of stages) stage.endChange(!executed.rejection)
  return executed
}

function newExecuted(request: Request): Executed {
  return {
    request,
    result: undefined,
    rejection: undefined,
    revocation: undefined,
    revoked: undefined,
    operations: [],
    after: [],
    onDisk: [],
    isLast: false,
  }
}

/** A request that comes after the last one. */
export function superseded(request: Request): Executed {
  const rejection = { error: new Failure('unavailable', 'the device is stopping') }
  return { ...newExecuted(request), rejection, isLast: true }
}

function noRoom(reason: string): Failure {
  return new Failure(
    'rejected',
    `the controller cannot keep the command on its disk (${reason}), so it was not accepted; free some space or replace the disk`,
  )
}
