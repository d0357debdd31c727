import type { LookupFunction } from 'node:net'
import type { Clock } from '@plantroom/base/clock'
import type { Connection } from '@plantroom/contract/datapoint'
import type { FoundConnection } from '@plantroom/contract/discovery'
import type { Failure } from '@plantroom/contract/failure'
import type { Reach } from './host.ts'

/** A raw protocol value. 64-bit registers arrive as `bigint`, so that no digit is lost. */
export type Raw = number | bigint

/**
 * The exact content of a point that no `Raw` can express: NaN, Infinity, negative zero, unused bits of a boolean
 * register. Opaque: only the driver that read an image can write it back.
 */
export interface Image {
  image: string
}

/** `image` is present where writing `raw` back would not restore the point, or where there is no `raw` at all. */
export type Reading = { raw: Raw; image?: string } | { error: string; image?: string }

/** A value that can be written to a point. An image is restored bit for bit. */
export type Writable = Raw | Image

export interface WriteOptions {
  /** Sends the write ahead of queued setpoints. */
  release?: boolean
  /**
   * Called right before the value is sent. When it returns false, the driver sends nothing and the write rejects with a
   * `Failure` of kind `conflict`.
   */
  stillWanted?: () => boolean
}

/** A source of values that equipment follows instead of us. */
export interface InCharge {
  /** The source as people know it, for example `priority 8 (the operator)`. */
  name: string
  /** Its priority and ours, as the equipment counts. */
  priority: number
  ours: number
  /** What it holds. */
  reading: Reading
  /** Whether it has precedence over ours. If not, the equipment follows it because nothing of ours is there. */
  outranks: boolean
}

/**
 * One connection to equipment. Drivers exchange raw values; the edge applies the scaler. The methods at the end are
 * optional capabilities: a driver has them only where its protocol does, and callers check before they call.
 */
export interface Driver {
  /** Resolves when the link is up. Rejects with a one-line reason. Can be called again at any time. */
  open(signal: AbortSignal): Promise<void>
  /**
   * Returns one reading per point, in order. A point that cannot be read, or that alone does not answer, is an `error`
   * reading. Rejects when the link is lost or nothing behind it answers. Also reads `WRITE` points whose address is
   * readable. An urgent read overtakes polls.
   *
   * A read that begins after a write of the point has settled never shows a state that the equipment sent before the
   * driver sent that write. Where equipment announces its state on its own and has announced none since, the reading is
   * an `error`, with one exception: if its last state already showed the written value, that state is shown, because
   * equipment need not repeat itself. An urgent read first waits a moment for an announcement. Whatever the equipment
   * announces on a new link counts as newer than every write on an earlier one.
   */
  read(pointIds: readonly string[], options?: { urgent?: boolean }): Promise<readonly Reading[]>
  /**
   * Returns the raw value closest to `raw` that the point can hold. Throws a `Failure` of kind `rejected` that names the
   * value and the valid range when none fits, or when the value exceeds 2^53 and cannot be written exactly. Works
   * without a link.
   */
  nearest(pointId: string, raw: number): Raw
  /**
   * Overtakes all queued reads, and is sent even if earlier reads failed. Rejects with a `Failure`:
   *
   * - `rejected`: the value does not fit or the equipment refused it. Nothing was written.
   * - `offline`: no answer came. The value may or may not have been written.
   * - `conflict`: `stillWanted` returned false. Nothing was written.
   */
  write(pointId: string, value: Writable, options?: WriteOptions): Promise<void>
  close(): Promise<void>

  /**
   * Withdraws our value, so that the equipment falls back to its next own source, for example by clearing our slot in a
   * BACnet priority array. The edge then releases the point with this instead of writing the earlier value back.
   *
   * Resolves to true once the equipment has confirmed that it no longer holds our value, and to false, with nothing
   * sent, for a point that cannot do this. Goes ahead of setpoints, and can be repeated. Rejects like `write`.
   */
  relinquish?(pointId: string, options?: Pick<WriteOptions, 'stillWanted'>): Promise<boolean>

  /**
   * Returns what the equipment follows at a point instead of our value, where it ranks several sources, for example the slot
   * of a BACnet priority array that has the object; `undefined` when it follows us, or none of them. Only reads. Asked when a
   * reading does not show what was written, and after our value was withdrawn: the audit names the answer.
   */
  inCharge?(pointId: string): Promise<InCharge | undefined>

  /**
   * Arms the timer with which the equipment ends our value at this point by itself, so that the value does not outlive its
   * controller. Resolves to the seconds until that happens, once a reading shows that the timer runs, and to `undefined` for
   * a point without a timer. Both the timer and the value must be written again before. Rejects like `write`: then the value
   * must not be written.
   */
  armReversion?(pointId: string): Promise<number | undefined>
  /** Disables that timer. Resolves once a reading shows it. Rejects like `write`. */
  disarmReversion?(pointId: string): Promise<void>
}

/** Receives events between a driver and its equipment as they happen. Must not throw. */
export interface DriverListener {
  /** A request, or a probe, got no answer in time. */
  timedOut(): void
  /** The equipment refused a request, even if the driver recovers by asking in another way. */
  exception(): void
  /** The link was lost while idle; `open` may restore it. Not called for the end that `close` causes. */
  lost(reason: Failure): void
}

/** What a protocol needs from its surroundings. */
export interface ProtocolDeps {
  clock: Clock
  /** Finds the addresses of host names; Node's own by default. */
  lookup?: LookupFunction | undefined
}

/** An error in a commissioned connection, with its path below the connection. */
export interface Problem {
  path: string
  message: string
}

/** The equipment behind a writable datapoint. */
export interface Target {
  /**
   * Two datapoints write the same thing if their ranges overlap in the same space, whatever the spelling of its address.
   * `end` is exclusive.
   */
  space: string
  start: number
  end: number
  /** The range in plain words, for example `holding register 10`. */
  name: string
  /** Whose controllers find the same equipment at the address in `space`. */
  reach: Reach
  /**
   * Everything that decides which equipment is written, how it is reached and what a raw value means there, including
   * credentials and defaults. Equal identities mean the same equipment. Secret: never display or log it.
   */
  identity: string
  /**
   * The part of the identity that says what a raw value or an image means: type, byte order, form of the message. What was
   * read at one address can be written at another only if both have the same meaning. As secret as the identity.
   */
  meaning: string
}

/** A protocol: checks commissioned connections and creates drivers for valid ones. */
export interface Protocol {
  check(connection: CheckedConnection): readonly Problem[]
  /** Returns the target of each datapoint, in order; `undefined` for a read-only one. The connection must be valid. */
  targets(connection: CheckedConnection): readonly (Target | undefined)[]
  connect(connection: Connection, listener?: DriverListener): Driver
  /**
   * Looks for equipment where `settings` point: at one host, or slowly at a network of at most 256 addresses. Settings are
   * those of a connection, except for what is to be found. Sends only questions, one at a time to each endpoint, behind
   * everything else that waits there. Ends when `signal` aborts. Throws a `Failure` of kind `invalid` for settings that
   * it refuses, and of kind `offline` where nothing can be reached.
   */
  discover?(settings: Record<string, unknown>, options: { signal: AbortSignal }): AsyncIterable<Discovered>
}

/** What a scan came across. */
export type Discovered =
  | { kind: 'found'; connection: FoundConnection }
  /** Something that a person should know, in one sentence. */
  | { kind: 'warning'; message: string }
  | { kind: 'progress'; done: number; of: number }

export type CheckedConnection = Pick<Connection, 'settings'> & { datapoints: readonly PointConfig[] }

export interface PointConfig {
  name: string
  accessType: string
  data: Record<string, unknown>
}
