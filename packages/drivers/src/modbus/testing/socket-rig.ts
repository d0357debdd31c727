import type { Duplex } from 'node:stream'
import type { Protocol, ProtocolDeps } from '../../driver.ts'
import type { DriverRig } from '../../testing/driver-rig.ts'
import type { PeerFraming } from './peer-framing.ts'
import { type PeerRequest, startScriptedPeer } from './scripted-peer.ts'
import { startUnitRig } from './unit-rig.ts'

/** Starts a unit behind a socket. */
export async function startSocketRig(
  createProtocol: (deps: ProtocolDeps) => Protocol,
  framing: PeerFraming,
): Promise<DriverRig> {
  let peer = await startScriptedPeer(0, framing)
  const { port } = peer
  return startUnitRig({
    createProtocol,
    settings: { host: '127.0.0.1', port },
    needsTime: false,
    spelled: ['localhost', '127.0.0.1', '127.1', '::1', '0:0:0:0:0:0:0:1', 'LocalHost.'].map((host) => ({ host })),
    otherWays: [{ settings: { host: '192.0.2.9' } }, { settings: { port: 1502 } }],
    serve: (handler: (request: PeerRequest<Duplex>) => void) => peer.serve(handler),
    drop: () => peer.stop(),
    async heal() {
      if (peer.isStopped()) peer = await startScriptedPeer(port, framing)
    },
    links: () => peer.openCount(),
    close: () => peer.stop(),
  })
}
