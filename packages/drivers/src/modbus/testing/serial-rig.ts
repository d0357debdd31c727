import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { DriverRig } from '../../testing/driver-rig.ts'
import { createSerialProtocol } from '../driver.ts'
import { startLineUnit } from './line-unit.ts'
import { type PtyPair, startPtyPair } from './pty-pair.ts'
import type { PeerRequest } from './scripted-peer.ts'
import { startUnitRig } from './unit-rig.ts'

/** Starts a unit at the other end of a serial line. `drop` unplugs the adapter; it comes back under another name. */
export async function startSerialRig(): Promise<DriverRig> {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-serial-'))
  let handler: (request: PeerRequest<Duplex>) => void = () => {}
  let pair: PtyPair | undefined

  async function plugIn() {
    pair = await startPtyPair(folder)
    startLineUnit(pair.theirs, (request) => handler(request))
  }
  async function unplug() {
    await pair?.stop()
    pair = undefined
  }

  await plugIn()
  return startUnitRig({
    createProtocol: createSerialProtocol,
    // The line is another process, which a busy machine keeps waiting while time passes here.
    settings: { path: join(folder, 'ours'), timeoutMs: 2000 },
    needsTime: true,
    spelled: ['/dev/ttyUSB0', '/dev//ttyUSB0', '/dev/./ttyUSB0'].map((path) => ({ path })),
    otherWays: [{ settings: { path: '/dev/ttyS9' } }, { settings: { baudRate: 9600 } }],
    serve(newHandler) {
      handler = newHandler
    },
    drop: unplug,
    async heal() {
      if (!pair) await plugIn()
    },
    async close() {
      await unplug()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}
