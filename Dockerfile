FROM node:26-slim AS build
WORKDIR /petri
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY LICENSE tsconfig.json ./
COPY scripts ./scripts
COPY seeds ./seeds
COPY scenarios ./scenarios
COPY src ./src
RUN node scripts/build.mjs

FROM node:26-slim
LABEL org.opencontainers.image.title="Petri" \
  org.opencontainers.image.description="An offline sandbox of the Lab Testing and Health Data Service" \
  org.opencontainers.image.source="https://github.com/example/petri-sandbox" \
  org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /petri
COPY --from=build /petri/package.json /petri/LICENSE ./
COPY --from=build /petri/dist ./dist
COPY --from=build /petri/scenarios ./scenarios
COPY --from=build /petri/seeds ./seeds
COPY packaging/healthcheck.sh ./
# Group 0 may write as well: an arbitrary user, as OpenShift and "docker run --user 12345" have it, is in that group.
RUN ln -s /petri/dist/cli/main.js /usr/local/bin/petri && mkdir /data /tls && chown node:0 /data /tls && chmod 775 /data /tls && \
  mkdir compiled && chown node compiled
USER node
# Node keeps compiled code here. An order is placed, so that no container has to compile what a start and an order need.
ENV NODE_COMPILE_CACHE=/petri/compiled
RUN petri exec -- petri order place
# Last, because they change most often, and nothing is built of them.
COPY docs ./docs
COPY skills ./skills
ENV PETRI_HOST=0.0.0.0 PETRI_DATA=/data
EXPOSE 4080
HEALTHCHECK --interval=2s --timeout=2s --retries=15 CMD ["bash", "/petri/healthcheck.sh"]
ENTRYPOINT ["petri"]
CMD ["start"]
