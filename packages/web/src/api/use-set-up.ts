import { useQuery } from '@tanstack/react-query'
import { api } from './service.ts'

/** Loads whether this is a first start, and whether people can reset their password by mail. */
export function useSetUp() {
  return useQuery({ queryKey: ['set-up'], queryFn: () => api.getSetup() })
}

/** Reports whether a mail server is set up. True until that is known, so that nothing is denied too early. */
export function useSendsMail(): boolean {
  return useSetUp().data?.resetByMail ?? true
}
