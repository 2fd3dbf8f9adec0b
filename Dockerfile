FROM node:20-slim AS build
WORKDIR /petri
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:20-slim
WORKDIR /petri
COPY --from=build /petri/package.json ./
COPY --from=build /petri/dist ./dist
COPY --from=build /petri/scenarios ./scenarios
COPY --from=build /petri/seeds ./seeds
RUN ln -s /petri/dist/cli/main.js /usr/local/bin/petri && mkdir /data && chown node /data
USER node
ENV PETRI_HOST=0.0.0.0 PETRI_DATA=/data
EXPOSE 4080
HEALTHCHECK --interval=2s --timeout=2s --retries=15 CMD ["petri", "health", "--url", "http://127.0.0.1:4080"]
CMD ["petri", "start"]
