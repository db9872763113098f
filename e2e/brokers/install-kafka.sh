#!/bin/sh
# Installs Kafka from Maven, once, in ~/.cache/posthorn (or $POSTHORN_TOOLS). Kafka runs with Java 17. If Kafka cannot
# be installed, the script says so in one line, and the tests that need it are skipped.
tests='Kafka destinations'
. "${0%/*}/installing.sh"
target=$tools/kafka-4.1.0
[ -d "$target/lib" ] && exit 0

java -version >"$log" 2>&1 || skip 'Java is not installed'
command -v mvn >"$log" || skip 'mvn is not installed'
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder" "$log"' EXIT
cat >"$folder/pom.xml" <<'END'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>posthorn</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>4.1.0</version>
    </dependency>
  </dependencies>
</project>
END
mvn -q -B -f "$folder/pom.xml" dependency:copy-dependencies -DincludeScope=runtime "-DoutputDirectory=$folder/lib" \
  >"$log" 2>&1 || give_up 'Kafka could not be installed'
mkdir -p "$target" && mv "$folder/lib" "$target/lib"
