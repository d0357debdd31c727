import { createAdministration } from '@plantroom/client/admin'
import { createSend } from '@plantroom/client/http'
import { createPackageClient } from '@plantroom/client/packages'
import { createCommands } from '@plantroom/client/partner'
import { createSessionClient } from '@plantroom/client/session'
import { createTicketClient } from '@plantroom/client/tickets'

/** Sends requests to the service that served this page. The browser adds the session cookie. */
export const send = createSend('', {})

export const session = createSessionClient(send)
export const administration = createAdministration(send)
export const ticketsOf = (orgId: string, siteId: string) => createTicketClient(send, { orgId, propertyId: siteId })
export const packagesOf = (orgId: string, siteId: string) => createPackageClient(send, { orgId, propertyId: siteId })
export const commandsOf = (orgId: string, deviceId: string) => createCommands(send, { orgId, deviceId })
