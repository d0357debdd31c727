import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { csvLine } from '@plantroom/base/csv'
import type { Unplaced, UnplacedValue } from '@plantroom/contract/conversion-account'
import { describeUnplaced, type UnplacedOutcome } from './unplaced-outcome.ts'

/** What became of a value, in words and perhaps for programs. */
interface Outcome {
  readonly became: string
}

/** Says what became of every value that has no field of its own. */
export interface Account<How = UnplacedOutcome, Total = Unplaced> extends AsyncDisposable {
  add(place: string, column: string, value: string, became: How): void
  /** Counts by column, in the order in which they first appeared. */
  totals(): Total[]
  /** Resolves when the file takes more. */
  drained(): Promise<void>
  /** Puts the file with every value in place. Without this nothing remains of it. */
  commit(): Promise<void>
}

/** Creates an account. With `path` it also writes every value to a CSV file: place,column,value,became. */
export function createAccount(path?: string, onValue?: (value: UnplacedValue) => void): Account {
  const account = createAccountOf<Pick<Unplaced, 'became' | 'code' | 'detail'>>(path, onValue)
  return {
    ...account,
    add: (place, column, value, became) =>
      account.add(place, column, value, { became: describeUnplaced(became), ...became }),
  }
}

/** Creates an account of outcomes of any kind. There may be few different ones: it counts each for every column. */
export function createAccountOf<How extends Outcome>(
  path?: string,
  onValue?: (value: How & { place: string; column: string; value: string }) => void,
): Account<How, How & { column: string; values: number }> {
  const totals = new Map<string, How & { column: string; values: number }>()
  const file = path === undefined ? undefined : createFile(path)
  return {
    add(place, column, value, how) {
      const key = `${column}\0${how.became}`
      const total = totals.get(key)
      if (total) total.values += 1
      else totals.set(key, { column, values: 1, ...how })
      file?.write(csvLine([place, column, value, how.became]))
      onValue?.({ place, column, value, ...how })
    },
    totals: () => [...totals.values()],
    drained: async () => file?.drained(),
    commit: async () => file?.commit(),
    [Symbol.asyncDispose]: async () => file?.discard(),
  }
}

function createFile(path: string) {
  const temporary = `${path}.${process.pid}.part`
  const stream: WriteStream = createWriteStream(temporary, { flush: true })
  let failure: Error | undefined
  stream.on('error', (error) => {
    failure = error
  })
  stream.write(csvLine(['place', 'column', 'value', 'became']))
  let isDone = false
  return {
    write: (line: string) => void stream.write(line),
    async drained() {
      if (failure) throw failure
      // Removes its listeners: a long account waits for its file thousands of times.
      if (stream.writableNeedDrain) await once(stream, 'drain')
    },
    async commit() {
      stream.end()
      await finished(stream)
      await rename(temporary, path)
      isDone = true
    },
    async discard() {
      if (isDone) return
      stream.destroy()
      if (!stream.closed) await new Promise<void>((resolve) => stream.once('close', resolve))
      await rm(temporary, { force: true })
    },
  }
}
