import { stat } from 'node:fs/promises'
import { dirname, posix } from 'node:path'
import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { SerialPort } from 'serialport'
import type { ProtocolDeps } from '../../driver.ts'
import type { Fields } from '../../fields.ts'
import type { Client, ConnectOptions } from '../client.ts'
import type { Medium } from '../medium.ts'
import { rtuClientOn } from './client.ts'
import { LateAnswers } from './late-answers.ts'
import { SERIAL_UNIT_IDS } from './over-tcp.ts'

const PARITIES = ['none', 'even', 'odd'] as const

/** A serial port, and how characters are sent on its line. */
export interface SerialAddress {
  path: string
  baudRate: number
  parity: (typeof PARITIES)[number]
  stopBits: 1 | 2
}

/** Frames of RTU on a serial port. */
export function createSerialMedium(deps: ProtocolDeps): Medium<SerialAddress> {
  const closing = new Map<string, Promise<void>>()
  return {
    protocol: 'modbus-rtu',
    unitIds: SERIAL_UNIT_IDS,
    parseAddress,
    // The port itself refuses a second link with other settings.
    keyOf: (address) => JSON.stringify(address),
    canonical(address) {
      const path = posix.normalize(address.path)
      return { text: path, identity: { ...address, path }, reach: 'controller' }
    },
    transport(address) {
      const late = new LateAnswers(deps.clock)
      return { name: address.path, connect: (options) => openPort(address, options, deps, { closing, late }) }
    },
  }
}

/** The defaults are those of "MODBUS over serial line". */
function parseAddress(fields: Fields): SerialAddress {
  const path = fields.text('path') ?? ''
  if (path !== '' && !path.startsWith('/')) {
    fields.problem(
      'path',
      'must be the path of a serial port, for example /dev/serial/by-id/usb-FTDI_FT232R-if00-port0',
    )
  }
  return {
    path,
    baudRate: fields.integer('baudRate', 300, 1_000_000, 19_200) ?? 19_200,
    parity: fields.oneOf('parity', PARITIES, 'even') ?? 'even',
    stopBits: fields.integer('stopBits', 1, 2, 1) === 2 ? 2 : 1,
  }
}

/** After so many requests without a single byte in a row, the port is opened again. */
const MAX_UNANSWERED = 10
const WATCH_MS = 1000

const DATA_BITS = 8
/** Above this rate the specification fixes the silence between frames. */
const FASTEST_BY_CHARACTERS = 19_200
const FIXED_SILENCE_MS = 1.75
const SILENT_CHARACTERS = 3.5

/** Returns how long a character takes on the line, and how long the line is silent between two frames. */
export function lineTimes({ baudRate, parity, stopBits }: Omit<SerialAddress, 'path'>) {
  const bits = 1 + DATA_BITS + (parity === 'none' ? 0 : 1) + stopBits
  const characterMs = (bits * 1000) / baudRate
  return {
    characterMs,
    silenceMs: baudRate > FASTEST_BY_CHARACTERS ? FIXED_SILENCE_MS : SILENT_CHARACTERS * characterMs,
  }
}

interface Shared {
  /** The ports that are being closed: they cannot be opened again before that. */
  closing: Map<string, Promise<void>>
  late: LateAnswers
}

function openPort(
  address: SerialAddress,
  { timeoutMs, signal, listener, onIdleLoss }: ConnectOptions,
  { clock }: ProtocolDeps,
  { closing, late }: Shared,
): Promise<Client> {
  const { path } = address
  return new Promise((resolve, reject) => {
    let isOver = false
    const settle = (end: () => void) => {
      if (isOver) return
      isOver = true
      cancelTimeout()
      signal.removeEventListener('abort', giveUp)
      end()
    }
    const fail = (failure: Failure) => settle(() => reject(failure))
    const giveUp = () => fail(new Failure('offline', `${path} was not opened: the attempt was cancelled`))
    const cancelTimeout = clock.after(timeoutMs, () => {
      listener?.timedOut()
      fail(new Failure('offline', `${path} could not be opened within ${timeoutMs} ms`))
    })
    signal.addEventListener('abort', giveUp)
    if (signal.aborted) giveUp()

    const open = async () => {
      const port = await createPort(address)
      await closing.get(path)
      if (isOver) return
      const before = await deviceAt(path)
      const watch = { isOver: false }
      const close = () => {
        watch.isOver = true
        closePort(port, closing)
      }
      port.open((error) => {
        if (error) return fail(new Failure('offline', `${path} ${reasonOf(error)}`))
        if (isOver) return close()
        const line = {
          name: path,
          late,
          stream: port,
          close,
          maxUnanswered: MAX_UNANSWERED,
          ...lineTimes(address),
        }
        const lossText = 'was disconnected: check the adapter'
        const client = rtuClientOn({ ...line, lossText, onIdleLoss, reasonOf }, clock)
        watchDevice(path, before, watch, clock, () => client.drop(`${path} ${lossText}`))
        settle(() => resolve(client))
      })
    }
    open().catch(fail)
  })
}

/** Returns what tells the device behind a path from another one; `undefined` if there is none. */
const deviceAt = (path: string): Promise<string | undefined> =>
  stat(path).then(
    ({ dev, ino, rdev }) => `${dev} ${ino} ${rdev}`,
    () => undefined,
  )

/** Calls `onGone` when the device is no longer there. Some adapters go without an error, and then seem to be silent. */
function watchDevice(
  path: string,
  before: string | undefined,
  watch: { readonly isOver: boolean },
  clock: Clock,
  onGone: () => void,
): void {
  clock.after(WATCH_MS, async () => {
    if (watch.isOver) return
    if ((await deviceAt(path)) === before) watchDevice(path, before, watch, clock, onGone)
    else if (!watch.isOver) onGone()
  })
}

function closePort(port: SerialPort, closing: Map<string, Promise<void>>): void {
  if (!port.isOpen) return
  const closed = new Promise<void>((done) => port.close(() => done())).then(() => {
    if (closing.get(port.path) === closed) closing.delete(port.path)
  })
  closing.set(port.path, closed)
}

async function createPort({ path, baudRate, parity, stopBits }: SerialAddress): Promise<SerialPort> {
  const Port = await loadSerialPort()
  const port = new Port({ path, baudRate, parity, stopBits, dataBits: DATA_BITS, autoOpen: false })
  // An error of a port that nobody uses any more concerns nobody.
  port.on('error', () => {})
  return port
}

/** The version that we test. The package is optional, because it has native code. */
const PACKAGE = 'serialport@13.0.0'

async function loadSerialPort(): Promise<typeof SerialPort> {
  try {
    return (await import('serialport')).SerialPort
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND') {
      const [reason] = message.split('\n')
      throw new Failure('offline', `serial ports cannot be opened (${reason}): install Plantroom again`)
    }
    // Programs run in a folder below the one of their installation.
    const folder = dirname(dirname(process.argv[1] ?? '.'))
    throw new Failure(
      'offline',
      `serial ports need an additional package: run "npm install --no-save ${PACKAGE}" in ${folder}, then restart the controller`,
    )
  }
}

const REASONS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/No such (?:file|device)/, 'does not exist: check that the adapter is plugged in'],
  [/Permission denied/, 'may not be opened: add the user of the controller to the group of the port, usually dialout'],
  [/Cannot lock/, 'is in use by another program, or by a connection with other settings of the line'],
]

function reasonOf({ message }: Error): string {
  return REASONS.find(([pattern]) => pattern.test(message))?.[1] ?? `cannot be used: ${message}`
}
