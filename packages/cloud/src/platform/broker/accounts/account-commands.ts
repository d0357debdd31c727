import { Failure } from '@plantroom/contract/failure'
import { type BrokerRole, createDeviceClient, deviceRole, isSameRole, SHARED_ROLES } from './device-roles.ts'
import type { Answer, DynamicSecurity } from './dynamic-security.ts'

// The plugin tells errors apart by their text only.
const NO_CLIENT = 'Client not found'
const NO_ROLE = 'Role not found'
const ROLE_EXISTS = 'Role already exists'

/** Creates the account of a device, or changes its secret; the broker then disconnects the device. */
export async function putAccount(
  broker: DynamicSecurity,
  deviceId: string,
  secret: string,
  serviceId: string,
): Promise<void> {
  const [password] = await broker.ask([{ command: 'setClientPassword', username: deviceId, password: secret }])
  if (password?.error === undefined) return
  if (password.error !== NO_CLIENT) throw refused(password)
  // A role without its client is left of an attempt that the broker did not finish.
  const [role, client] = await broker.ask([
    { command: 'createRole', ...deviceRole(deviceId) },
    createDeviceClient(deviceId, secret, serviceId),
  ])
  if (role?.error !== undefined && role.error !== ROLE_EXISTS) throw refused(role)
  if (client?.error !== undefined) throw refused(client)
}

/** Deletes an account with its role. The broker disconnects the device. */
export async function removeAccount(broker: DynamicSecurity, deviceId: string): Promise<void> {
  const answers = await broker.ask([
    { command: 'deleteClient', username: deviceId },
    { command: 'deleteRole', rolename: deviceId },
  ])
  const failed = answers.find(({ error }) => error !== undefined && error !== NO_CLIENT && error !== NO_ROLE)
  if (failed) throw refused(failed)
}

/** Creates the shared roles, or replaces their rules. Equal ones stay: a change disconnects every device. */
export async function ensureSharedRoles(broker: DynamicSecurity): Promise<void> {
  for (const role of SHARED_ROLES) {
    const [found] = await broker.ask([{ command: 'getRole', rolename: role.rolename }])
    if (found?.error !== undefined && found.error !== NO_ROLE) throw refused(found)
    const existing = (found?.data as { role: BrokerRole } | undefined)?.role
    if (existing && isSameRole(existing, role)) continue
    const [changed] = await broker.ask([{ command: existing ? 'modifyRole' : 'createRole', ...role }])
    // Another process has just created it.
    if (changed?.error !== undefined && changed.error !== ROLE_EXISTS) throw refused(changed)
  }
}

function refused({ command, error }: Answer): Failure {
  return new Failure('unavailable', `the broker refused ${command} (${error}): check its log, then try again`)
}
