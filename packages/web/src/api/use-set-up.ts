import { useQuery } from '@tanstack/react-query'
import { api } from './service.ts'

/** Loads whether this is a first start, and whether people can reset their password by mail. */
export function useSetUp() {
  return useQuery({ queryKey: ['set-up'], queryFn: () => api.getSetup() })
}
