import { useOperation } from './use-operation.ts'

/** Loads whether this is a first start, and whether people can reset their password by mail. */
export function useSetUp() {
  return useOperation('getSetup', {})
}

/** Reports whether a mail server is set up. True until that is known, so that nothing is denied too early. */
export function useSendsMail(): boolean {
  return useSetUp().data?.resetByMail ?? true
}
