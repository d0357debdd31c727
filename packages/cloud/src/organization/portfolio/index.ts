/** The overview of all sites, and a search across them. */
export { portfolioRoutes as register } from './portfolio-routes.ts'
