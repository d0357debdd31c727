import type { ProtocolDeps } from '../../driver.ts'
import type { Medium } from '../medium.ts'
import { type Address, addressText, openSocket, reasonOf } from '../open-socket.ts'
import { SOCKET_ADDRESS } from '../tcp.ts'
import { rtuClientOn } from './client.ts'
import { LateAnswers } from './late-answers.ts'

/** Serial units only: 0 addresses all of them at once and is never answered, and 248 to 255 are reserved. */
export const SERIAL_UNIT_IDS = { first: 1, last: 247 }

// A gateway that was restarted may never notice that it has lost the connection.
const MAX_UNANSWERED = 3

/** Frames of RTU on a socket, as serial device servers pass them on without a look at them. */
export function createRtuOverTcpMedium(deps: ProtocolDeps): Medium<Address> {
  return {
    protocol: 'modbus-rtu-tcp',
    unitIds: SERIAL_UNIT_IDS,
    ...SOCKET_ADDRESS,
    transport(address) {
      const name = addressText(address)
      const late = new LateAnswers(deps.clock)
      const line = {
        name,
        late,
        characterMs: 0,
        silenceMs: 0,
        maxUnanswered: MAX_UNANSWERED,
        lossText: 'closed the connection',
        reasonOf,
      }
      return {
        name,
        connect: (options) =>
          openSocket(address, options, deps, (stream) =>
            rtuClientOn(
              { ...line, stream, close: () => void stream.destroy(), onIdleLoss: options.onIdleLoss },
              deps.clock,
            ),
          ),
      }
    },
  }
}
