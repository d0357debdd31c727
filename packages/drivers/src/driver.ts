import type { Connection } from '@plantroom/contract/datapoint'
import type { Failure } from '@plantroom/contract/failure'

/** A raw protocol value. 64-bit registers are exact: they come as `bigint`. */
export type Raw = number | bigint

/**
 * Exactly what a point holds, where no `Raw` can say it: NaN, Infinity, a negative zero, unused bits of a boolean
 * register. Opaque: only the driver that read it can write it back.
 */
export interface Image {
  image: string
}

/** `image` is present where writing `raw` back would not restore what was read, or where there is no `raw` at all. */
export type Reading = { raw: Raw; image?: string } | { error: string; image?: string }

/** What can be written to a point. An image is restored bit by bit. */
export type Writable = Raw | Image

export interface WriteOptions {
  /** A release goes ahead of setpoints. */
  release?: boolean
  /**
   * Called right before the value leaves for the equipment. When it returns false nothing is sent, and the write rejects
   * with a `Failure` `conflict`.
   */
  stillWanted?: () => boolean
}

/** What every protocol must do. Drivers speak raw values; the scaler runs above them. */
export interface Driver {
  /** Resolves when the link is up; rejects with a one-line reason. Safe to call again. */
  open(signal: AbortSignal): Promise<void>
  /**
   * Returns one reading per point, in order. A point that cannot be read, or alone does not answer, is an `error`
   * reading. Rejects when the link is lost, and when nothing behind it answers any more. A `WRITE` point is read too
   * where its address can be. An urgent read goes ahead of polls.
   */
  read(pointIds: readonly string[], options?: { urgent?: boolean }): Promise<readonly Reading[]>
  /**
   * Returns the raw value nearest to this one that the point can hold. Throws a `Failure` `rejected` that names the
   * value and what fits when none does, or when it exceeds 2^53 and so cannot be written exactly. Needs no link.
   */
  nearest(pointId: string, raw: number): Raw
  /**
   * Goes ahead of all reads that wait, whatever has become of earlier reads. Rejects with a `Failure`: `rejected` when
   * the value does not fit or the equipment refuses it, then nothing was written; `offline` when no answer came, then
   * it may or may not have been written; `conflict` when it was no longer wanted.
   */
  write(pointId: string, value: Writable, options?: WriteOptions): Promise<void>
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

/** The equipment behind a writable datapoint. */
export interface Target {
  /** Two datapoints write the same thing where their ranges overlap in the same space. `end` is exclusive. */
  space: string
  start: number
  end: number
  /** How a person would name the range, for example `holding register 10`. */
  name: string
  /**
   * Everything that decides which equipment is written and what a raw value means there, credentials included, with
   * defaults filled in. Equal texts are the same equipment. Never to be shown.
   */
  identity: string
}

/** A protocol: checks what was commissioned, and makes a driver of what passed. */
export interface Protocol {
  check(connection: CheckedConnection): readonly Problem[]
  /** Returns the target of each datapoint, in order; `undefined` for one that is only read. Needs a connection without problems. */
  targets(connection: CheckedConnection): readonly (Target | undefined)[]
  connect(connection: Connection, listener?: DriverListener): Driver
}

export type CheckedConnection = Pick<Connection, 'settings'> & { datapoints: readonly PointConfig[] }

export interface PointConfig {
  name: string
  accessType: string
  data: Record<string, unknown>
}
