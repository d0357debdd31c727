export { type Client, createClient, type OperationInput, type OperationName, type OperationReply } from './client.ts'
export { type Commands, createCommands } from './commands.ts'
export { ApiError, createSend, type Send, sendWithKey, sendWithToken } from './http.ts'
