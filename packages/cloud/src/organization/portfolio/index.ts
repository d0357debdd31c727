/** All sites at once: what needs somebody, and a search across them. */
export { portfolioRoutes as register } from './portfolio-routes.ts'
