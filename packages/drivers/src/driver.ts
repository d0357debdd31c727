import type { Connection } from '@plantroom/contract/datapoint'
import type { Failure } from '@plantroom/contract/failure'

/** A raw protocol value. 64-bit registers are exact: they come as `bigint`. */
export type Raw = number | bigint

export type Reading = { raw: Raw } | { error: string }

/** What every protocol must do. Drivers speak raw values; the scaler runs above them. */
export interface Driver {
  /** Resolves when the link is up; rejects with a one-line reason. */
  open(signal: AbortSignal): Promise<void>
  /**
   * One reading per point, in order. An unreadable point is an `error` reading; a lost link rejects.
   * An `urgent` one goes ahead of those that are not and still wait.
   */
  read(pointIds: readonly string[], options?: { urgent?: boolean }): Promise<readonly Reading[]>
  /**
   * The raw value nearest to this one that the point can hold. Throws a `Failure` `rejected` that names the value and
   * what fits when none does. Needs no link.
   */
  nearest(pointId: string, raw: number): Raw
  /**
   * Goes ahead of the reads that wait. Rejects with a `Failure`: `rejected` when the value does not fit or the equipment
   * refuses it, then nothing was written; `offline` when no answer came, then nobody knows.
   */
  write(pointId: string, raw: Raw): Promise<void>
  close(): Promise<void>
}

/** Told by a driver what happens between it and the equipment, in the moment in which it happens: it must not throw. */
export interface DriverListener {
  /** A question that was sent, a probe too, was left without an answer in the time that it had. */
  timedOut(): void
  /** The equipment answered that it will not, also where the driver makes good for it by asking otherwise. */
  exception(): void
  /** The link was lost though nobody asked; `open` may have it back. Not told of the end that `close` brings. */
  lost(reason: Failure): void
}

/** A mistake in a commissioned connection: where, as a path below the connection, and what. */
export interface Problem {
  path: string
  message: string
}

/** A protocol: checks what was commissioned, and makes a driver of what passed. */
export interface Protocol {
  check(connection: Pick<Connection, 'settings'> & { datapoints: readonly PointConfig[] }): readonly Problem[]
  connect(connection: Connection, listener?: DriverListener): Driver
}

export interface PointConfig {
  name: string
  accessType: string
  data: Record<string, unknown>
}
