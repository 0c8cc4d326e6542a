FROM node:22-bookworm-slim AS build
WORKDIR /hub
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build && npm prune --omit=dev

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /hub
COPY --from=build /hub/package.json ./
COPY --from=build /hub/node_modules ./node_modules
COPY --from=build /hub/dist ./dist
RUN mkdir /hub/data && chown node:node /hub/data
USER node
VOLUME /hub/data
EXPOSE 8080
HEALTHCHECK --interval=10s --start-period=5s CMD ["node", "dist/cli/main.js", "healthcheck"]
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["serve", "--host", "0.0.0.0"]
