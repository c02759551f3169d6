# The course in a container:  docker build -t minitape . && docker run --rm -p 8888:8888 minitape
# It is made of what binder/ says: the same Python, system packages, constraints and check.
FROM python:3.12-slim
WORKDIR /minitape
COPY binder/apt.txt binder/
RUN apt-get update -q && xargs -a binder/apt.txt apt-get install -q -y --no-install-recommends && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home learner && chown learner .
COPY --chown=learner . .
RUN pip install --no-cache-dir -r binder/requirements.txt && bash binder/postBuild
USER learner
EXPOSE 8888
CMD ["minitape", "lab", "--no-browser", "--ServerApp.ip=0.0.0.0"]
