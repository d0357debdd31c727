import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http'
import { Agent as SecureAgent } from 'node:https'

/** Most servers close a connection that was idle for longer, or say for how long they keep it. */
const IDLE_MS = 20_000
const MOST_IDLE_PER_SERVER = 16

/** Connections that stay open for the next request to the same server. */
export interface KeptConnections {
  agentOf(url: URL): Agent
}

/** The addresses of a server that the guard allows, beside what Node knows of a request. */
export interface KeptOptions extends ClientRequestArgs {
  guardedAddresses?: string
}

/**
 * A connection is used again only where the guard allows the same addresses as when it was opened: it leads to one of them.
 * Idle ones do not keep the process alive.
 */
export function keepConnections(): KeptConnections {
  const options: AgentOptions = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: MOST_IDLE_PER_SERVER }
  const plain = byAddress(new Agent(options))
  const secure = byAddress(new SecureAgent(options))
  return { agentOf: ({ protocol }) => (protocol === 'https:' ? secure : plain) }
}

/** Names of an agent say which requests may share a connection. */
function byAddress<Of extends Agent>(agent: Of): Of {
  const nameOf = agent.getName.bind(agent)
  agent.getName = (options: KeptOptions = {}) => `${nameOf(options)} ${options.guardedAddresses ?? ''}`
  return agent
}
